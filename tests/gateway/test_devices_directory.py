"""Which sockets there are, by session and device: the newest socket of a device wins."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from cetp_gateway.api import DeviceGone
from cetp_gateway.devices import Answer, CloseCode, Connected, Devices, Event, LinkEnd, ToolsOffered
from support.devices import LIMITS, Handler, Linked, MemoryPeer, context, limits, make_link, tool_entry


class Phone(Handler):
    """A client in memory whose link is in the directory, as the chat endpoint does it."""

    def __init__(self, devices: Devices, *, session_id: str = "kitchen", owner: str = "o1") -> None:
        super().__init__()
        self.peer = MemoryPeer()
        self._devices = devices
        link = make_link(self.peer, self, session_id=session_id, owner=owner)
        self.let_in = devices.add(link)
        self.linked = Linked(link, self)
        self.link = link

    def on_event(self, event: Event[Answer]) -> None:
        if isinstance(event, Connected):
            self._devices.identified(self.link)
        super().on_event(event)

    async def says_who_it_is(self, device_id: str, *capabilities: str) -> None:
        self.peer.say(type="connect", v=1, device_id=device_id, capabilities=list(capabilities))
        await self.next(Connected)
        await self.peer.hear("connected")

    async def leaves(self) -> LinkEnd:
        """The end of the link, and what the endpoint does then."""
        self.peer.leave()
        end = await self.linked.ended()
        self._devices.remove(self.link)
        return end


@pytest.fixture
def devices() -> Devices:
    return Devices(LIMITS)


@pytest.fixture
async def phones() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as phones:
        yield phones


def phone(phones: AsyncExitStack, devices: Devices, *, session_id: str = "kitchen", owner: str = "o1") -> Phone:
    new = Phone(devices, session_id=session_id, owner=owner)
    phones.push_async_callback(new.linked.stop)
    return new


async def test_the_newest_socket_of_a_device_wins_and_the_old_one_changes_nothing_more(
    devices: Devices, phones: AsyncExitStack
) -> None:
    old = phone(phones, devices)
    await old.says_who_it_is("phone-1")
    old.peer.say(type="register_tools", tools=[tool_entry("x")])
    await old.next(ToolsOffered)
    call = asyncio.create_task(old.link.call("x", {}, context()))
    await old.peer.hear("tool_call_request")

    new = phone(phones, devices)
    await new.says_who_it_is("phone-1")
    assert await call == DeviceGone("?")
    old.peer.say(type="register_tools", tools=[tool_entry("x")])
    assert devices.of_device("o1", "phone-1") is new.link
    assert (await old.leaves()).code == CloseCode.REPLACED
    assert old.peer.close_code == CloseCode.REPLACED
    assert devices.of_device("o1", "phone-1") is new.link
    assert len([event for event in old.events if isinstance(event, ToolsOffered)]) == 1
    assert (list(devices), new.link.ended) == ([new.link], False)


async def test_an_old_socket_that_ends_before_the_new_one_registers_takes_nothing_along(
    devices: Devices, phones: AsyncExitStack
) -> None:
    old, new = phone(phones, devices), phone(phones, devices)
    await old.says_who_it_is("phone-1")
    await new.says_who_it_is("phone-1")
    await old.leaves()
    new.peer.say(type="register_tools", tools=[tool_entry("x"), tool_entry("y")])
    assert len((await new.next(ToolsOffered)).tools) == 2
    assert devices.of_device("o1", "phone-1") is new.link


async def test_equal_ids_of_two_owners_are_two_devices(devices: Devices, phones: AsyncExitStack) -> None:
    mine, other = phone(phones, devices, owner="o1"), phone(phones, devices, owner="o2")
    await mine.says_who_it_is("phone-1")
    await other.says_who_it_is("phone-1")
    assert (mine.link.ended, other.link.ended) == (False, False)
    assert mine.link.host_id != other.link.host_id


async def test_a_socket_that_says_twice_who_it_is_does_not_replace_itself(
    devices: Devices, phones: AsyncExitStack
) -> None:
    only = phone(phones, devices)
    await only.says_who_it_is("phone-1")
    await only.says_who_it_is("phone-1")
    assert not only.link.ended


async def test_clients_without_an_id_do_not_replace_each_other(devices: Devices, phones: AsyncExitStack) -> None:
    first, second = phone(phones, devices), phone(phones, devices)
    for client in (first, second):
        await client.says_who_it_is("")
    assert (len(devices), first.link.ended) == (2, False)


async def test_more_sockets_than_allowed_are_closed_with_4429_and_the_others_stay(phones: AsyncExitStack) -> None:
    devices = Devices(limits(sockets=1))
    first, second = phone(phones, devices), phone(phones, devices)
    assert (first.let_in, second.let_in) == (True, False)
    end = await second.linked.ended()
    assert (end.code, "limits.sockets" in end.reason) == (CloseCode.TOO_MANY, True)
    devices.remove(second.link)
    assert list(devices) == [first.link]
    await first.leaves()
    assert phone(phones, devices).let_in


async def test_frames_for_a_session_reach_its_sockets_alone(devices: Devices, phones: AsyncExitStack) -> None:
    first, second = phone(phones, devices), phone(phones, devices)
    other = phone(phones, devices, session_id="attic")
    devices.post_to_session("kitchen", '{"type":"aborted"}')
    devices.post_to_session("nowhere", '{"type":"aborted"}')
    for client in (first, second):
        await client.peer.hear("aborted")
    await other.says_who_it_is("phone-1")
    assert other.peer.nothing_waits()
    assert devices.of_session("kitchen") == (first.link, second.link)
    await first.leaves()
    assert devices.of_session("kitchen") == (second.link,)
    await second.leaves()
    assert devices.of_session("kitchen") == ()


async def test_changes_of_tools_are_told_to_those_who_want_to_know(devices: Devices, phones: AsyncExitStack) -> None:
    wants, plain = phone(phones, devices), phone(phones, devices)
    await wants.says_who_it_is("phone-1", "cetp.notices")
    await plain.says_who_it_is("phone-2")
    devices.tools_changed(7)
    assert (await wants.peer.hear("tools_changed"))["revision"] == 7
    assert plain.peer.nothing_waits()


async def test_all_sockets_of_a_revoked_token_are_closed_with_4401(devices: Devices, phones: AsyncExitStack) -> None:
    first, second = phone(phones, devices, owner="o1"), phone(phones, devices, owner="o1")
    other = phone(phones, devices, owner="o2")
    devices.close_owner("o1")
    for client in (first, second):
        assert (await client.linked.ended()).code == CloseCode.TOKEN_REVOKED
    assert not other.link.ended


async def test_closing_all_waits_for_the_ends_and_lets_nobody_in(devices: Devices, phones: AsyncExitStack) -> None:
    clients = [phone(phones, devices) for _ in range(3)]
    closing = asyncio.create_task(devices.close_all())
    for client in clients:
        assert (await client.linked.ended()).code == CloseCode.RESTART
        assert not closing.done()
        devices.remove(client.link)
    await closing
    late = phone(phones, devices)
    assert not late.let_in
    assert (await late.linked.ended()).code == CloseCode.RESTART


async def test_the_list_says_who_is_there_and_when_they_were_last_heard(
    devices: Devices, phones: AsyncExitStack
) -> None:
    client = phone(phones, devices)
    await client.says_who_it_is("phone-1", "cetp.shared", "cetp.cancel")
    call = asyncio.create_task(client.link.call("x", {}, context()))
    await client.peer.hear("tool_call_request")
    (row,) = devices.rows()
    assert (row.device_id, row.owner, row.session_id, row.open_calls) == ("phone-1", "o1", "kitchen", 1)
    assert row.capabilities == ("cetp.cancel", "cetp.shared")
    assert row.silent_s >= 0
    client.link.close(CloseCode.RESTART, "")
    await call
