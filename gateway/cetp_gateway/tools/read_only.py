"""Does a tool say of itself that it writes? Judged by its name, then by how its description begins.

CETP v1 tools only read (spec 1); this finds those that say otherwise. It believes words, so it is a safeguard
against mistakes and not against lies. Plain functions of text. Below: `cetp_spec.writing_words`, which judges names
for app authors, too.
"""

import re
from functools import cache, lru_cache

from cetp_spec import writing_words
from cetp_spec.writing_words import WRITING

DESCRIPTION_CHARS = 200
"""Of a description only its beginning says what the tool does."""


_MORE_VERBS = """
add append archive assign clear destroy disable edit enable erase forget install move reply reset restore save
transfer trash update
"""
_VERBS = WRITING | frozenset(_MORE_VERBS.split())
"""A description that begins with one of these says what the tool does."""

_OPENING = (
    r"\W*(?:(?:(?:this|the)\s+(?:tool|function|method)|used?\s+(?:this\s+)?(?:tool\s+)?to|allows?\s+you\s+to|"
    r"lets?\s+(?:you|users?)|can|will|\w+ly)\s+)*([a-z]+)"
)
_OPENING_ZH = (
    r"\W*(?:[本该此]?(?:工具|接口|方法))?(?:可以|能够|能|会|用于|用来|帮助|为|帮|将|把|用户|你|您)*"
    "(删除|删去|移除|清空|清除|清理|创建|新建|新增|添加|增加|插入|写入|写|修改|更改|编辑|更新|保存|存储|发送|发布|发起|提交|"
    "上传|下单|购买|支付|付款|转账|取消|预订|预约|设置|设定|重置|重命名|移动|标记|打开|关闭|启动|停止|执行|安装|卸载|回复|分享)"
    r"(\w*)"
)
_READS_ZH = "(?:查询|查看|查找|获取|读取|列出|搜索|检索|返回|显示|统计)$"


def writing_word(name: str, description: str) -> str:
    """The word that says that the tool writes, sends or changes something; empty when none does.

    Args:
        name: wire or public name; what stands before its first `__` is the app and says nothing.
        description: the first `DESCRIPTION_CHARS` characters are enough; a name that says it reads is believed.
    """
    return _writing_word(name.partition("__")[2] or name, description)


@lru_cache(maxsize=4096)
def _writing_word(own: str, description: str) -> str:
    word = writing_words.writing_word(own)
    if word is not None or writing_words.reads(own):
        return word or ""
    return _in_chinese(description) or _in_english(description)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """When the first tools come: together they would take a hundredth of the gateway's start."""
    return re.compile(pattern, re.IGNORECASE)


def _in_chinese(description: str) -> str:
    match = _compiled(_OPENING_ZH).match(description)
    return match[1] if match and not _compiled(_READS_ZH).search(match[2]) else ""


def _in_english(description: str) -> str:
    match = _compiled(_OPENING).match(description)
    verb = match[1].lower() if match else ""
    return verb if _VERBS.intersection(_forms(verb)) else ""


def _forms(verb: str) -> tuple[str, ...]:
    """What `deletes`, `modifies` or `deleting` may be a form of."""
    stem = verb.removesuffix("ing")
    return verb, verb.removesuffix("s"), verb.removesuffix("es"), verb.removesuffix("ies") + "y", stem, stem + "e"
