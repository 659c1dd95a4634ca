"""Long messages of all devices are let in one by one; nothing overtakes within a socket."""

import asyncio

from cetp_gateway.devices.turnstile import LONG_CHARS, Passage, Turnstile


def long(name: str) -> str:
    return name + "." * LONG_CHARS


class Gate:
    """Remembers whether its socket may read."""

    def __init__(self) -> None:
        self.held = False

    def hold(self) -> None:
        self.held = True

    def let_go(self) -> None:
        self.held = False


class Arrivals:
    """What has been handled, by first letter."""

    def __init__(self) -> None:
        self.letters = ""

    def __call__(self, text: str) -> None:
        self.letters += text[0]


async def test_one_long_message_is_let_in_in_each_round_whoever_sends_it() -> None:
    turnstile, arrived = Turnstile(), Arrivals()
    for name in "abc":
        Passage(turnstile, Gate(), arrived).take(long(name))
    seen = [arrived.letters]
    while len(arrived.letters) < 3:
        await asyncio.sleep(0)
        seen.append(arrived.letters)
    assert seen == ["a", "ab", "abc"]


async def test_a_short_message_passes_others_but_not_those_of_its_own_socket() -> None:
    turnstile, arrived = Turnstile(), Arrivals()
    one, two, three = (Passage(turnstile, Gate(), arrived) for _ in range(3))
    one.take(long("a"))
    two.take(long("b"))
    two.take("c")
    three.take("d")
    assert arrived.letters == "ad"
    await two.caught_up()
    assert arrived.letters == "adbc"


async def test_a_socket_is_not_read_while_its_message_waits() -> None:
    turnstile, arrived, gate = Turnstile(), Arrivals(), Gate()
    Passage(turnstile, Gate(), arrived).take(long("a"))
    waiting = Passage(turnstile, gate, arrived)
    waiting.take(long("b"))
    assert gate.held
    await waiting.caught_up()
    assert not gate.held


async def test_a_lonely_long_message_does_not_wait() -> None:
    arrived, gate = Arrivals(), Gate()
    passage = Passage(Turnstile(), gate, arrived)
    for name in "ab":
        passage.take(long(name))
        assert arrived.letters.endswith(name)
        assert not gate.held
        # The next round, and the one in which the turnstile finds nobody waiting.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
