"""Does a tool say of itself that it writes? Judged by its name, then by how its description begins.

CETP v1 tools only read (spec 1); this finds those that say otherwise. It believes words, so it is a safeguard
against mistakes and not against lies. Plain functions of text.
"""

import re
from functools import lru_cache
from itertools import pairwise

DESCRIPTION_CHARS = 200
"""Of a description only its beginning says what the tool does."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_READS = _words(
    "calculate check compare compute count describe detect download estimate export fetch filter find get has is "
    "list load look lookup peek preview query read retrieve scan search show stat status suggest summarize sum "
    "test validate verify view"
)
_WRITES = _words(
    "add append archive assign buy cancel clear commit create delete destroy disable edit enable erase forget "
    "insert install modify move overwrite pay purchase purge put remove rename replace reply reset restore revoke "
    "save send submit subscribe transfer trash uninstall unsubscribe update upload upsert wipe write"
)
_WRITES_ANYWHERE = _words("create delete destroy erase insert modify overwrite purge remove send uninstall wipe write")
_WRITES_WHEN_FIRST = _WRITES | _words(
    "accept approve book call change charge close complete dial do drop execute invite join kill launch lock make "
    "mark merge mute open order pause pin play post press print publish push register reject reserve resume run set "
    "share shut start stop store switch sync tap toggle trigger unlock unpin withdraw"
)
_JOINS = _words("and or then")
_NOT_A_VERB = _words(
    "count details history info last latest list log my new next overview pending recent status stats summary"
)
"""Beside one of these a word such as `order` or `update` is a thing and no order."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_OPENING = re.compile(
    r"\W*(?:(?:(?:this|the)\s+(?:tool|function|method)|used?\s+(?:this\s+)?(?:tool\s+)?to|allows?\s+you\s+to|"
    r"lets?\s+(?:you|users?)|can|will|\w+ly)\s+)*([a-z]+)",
    re.IGNORECASE,
)
_OPENING_ZH = re.compile(
    r"\W*(?:[本该此]?(?:工具|接口|方法))?(?:可以|能够|能|会|用于|用来|帮助|为|帮|将|把|用户|你|您)*"
    "(删除|删去|移除|清空|清除|清理|创建|新建|新增|添加|增加|插入|写入|写|修改|更改|编辑|更新|保存|存储|发送|发布|发起|提交|"
    "上传|下单|购买|支付|付款|转账|取消|预订|预约|设置|设定|重置|重命名|移动|标记|打开|关闭|启动|停止|执行|安装|卸载|回复|分享)"
    r"(\w*)"
)
_READS_ZH = re.compile("(?:查询|查看|查找|获取|读取|列出|搜索|检索|返回|显示|统计)$")


@lru_cache(maxsize=4096)
def writing_word(name: str, description: str) -> str:
    """The word that says that the tool writes, sends or changes something; empty when none does.

    Args:
        name: wire or public name; what stands before its first `__` is the app and says nothing.
        description: the first `DESCRIPTION_CHARS` characters are enough.
    """
    own = name.partition("__")[2] or name
    words = [word.lower() for word in _WORD.findall(own)]
    if words and words[0] in _READS:
        return next((word for join, word in pairwise(words) if join in _JOINS and word in _WRITES_WHEN_FIRST), "")
    return _in_name(words) or _in_chinese(description) or _in_english(description)


def _in_name(words: list[str]) -> str:
    for word in words:
        if word in _WRITES_ANYWHERE:
            return word
    if not words or _NOT_A_VERB.intersection(words):
        return ""
    if words[0] in _WRITES_WHEN_FIRST:
        return words[0]
    return words[-1] if words[-1] in _WRITES else ""


def _in_chinese(description: str) -> str:
    match = _OPENING_ZH.match(description)
    return match[1] if match and not _READS_ZH.search(match[2]) else ""


def _in_english(description: str) -> str:
    match = _OPENING.match(description)
    verb = match[1].lower() if match else ""
    return verb if _WRITES.intersection(_forms(verb)) else ""


def _forms(verb: str) -> tuple[str, ...]:
    """What `deletes`, `modifies` or `deleting` may be a form of."""
    stem = verb.removesuffix("ing")
    return verb, verb.removesuffix("s"), verb.removesuffix("es"), verb.removesuffix("ies") + "y", stem, stem + "e"
