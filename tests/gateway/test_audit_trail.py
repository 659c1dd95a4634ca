"""The audit trail: what stands in it, that it only grows, that tampering shows, and what outlives what."""

import hashlib
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.api import Answered, CallContext, Effect, Origin, Refused, ToolCall, ToolSpec
from cetp_gateway.errors import StorageError
from cetp_gateway.policy import Stretch, verify
from cetp_gateway.policy.answered_call import Shortening
from cetp_gateway.policy.audit_chain import FIRST_SEAL, seal_of
from cetp_gateway.policy.audit_entry import AuditEntry, EndedCall, entry_of
from cetp_gateway.policy.audit_store import prune
from cetp_gateway.storage.database import FILE_NAME
from support.policed import PHONE, EffectTool, Policed, policed, ran
from support.recording_hook import RecordingHook

READ = EffectTool("read", Effect.READS, PHONE)


async def stretches(policy: Policed) -> list[Stretch]:
    return await policy.parts.trail.stretches(0, 10_000)


async def test_a_call_leaves_who_when_what_and_how_it_ended_but_no_content(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        await policy.call(READ, {"say": "secret words"}, client="3f2a9c01")
        [entry] = await policy.entries()

    assert (entry.kind, entry.tool, entry.effect, entry.outcome) == ("call", "read", "reads", "answered")
    assert (entry.caller, entry.client, entry.session) == ("agent", "3f2a9c01", "s")
    assert (entry.device, entry.app) == ("pixel", "com.example.notes")
    assert entry.decision == "policy"
    assert entry.arguments_sha256 == hashlib.sha256(b'{"say":"secret words"}').hexdigest()
    assert entry.result_sha256 == hashlib.sha256(b"secret words").hexdigest()
    assert entry.ms >= 0
    assert b"secret words" not in (tmp_path / FILE_NAME).read_bytes()


async def test_content_is_kept_when_the_owner_wants_it(tmp_path: Path) -> None:
    async with policed(tmp_path, audit={"content": True}) as policy:
        await policy.call(READ, {"say": "words"})
        [entry] = await policy.entries()
    assert (entry.arguments, entry.result) == ('{"say":"words"}', "words")


async def test_short_and_long_results_are_written_in_the_order_of_their_calls(tmp_path: Path) -> None:
    words = ["a", "b" * 100_000, "c", "d" * 1_000_000]
    async with policed(tmp_path, audit={"flush_s": 60}) as policy:
        for word in words:
            await policy.call(READ, {"say": word})
        entries = await policy.entries()
        assert verify(await stretches(policy)).problem == ""
    assert [entry.result_sha256 for entry in entries] == [hashlib.sha256(word.encode()).hexdigest() for word in words]


@given(
    call_id=st.text(min_size=1, max_size=8),
    session=st.text(max_size=5),
    output=st.text(max_size=20),
    times=st.tuples(st.floats(0, 2e9), st.floats(0, 1e4)),
    from_whom=st.sampled_from([(None, ""), (PHONE, ""), (PHONE, "grant-1")]),
)
def test_the_short_way_to_an_entry_says_the_same_as_the_long_one(
    call_id: str, session: str, output: str, times: tuple[float, float], from_whom: tuple[Origin | None, str]
) -> None:
    origin, by = from_whom
    spec = ToolSpec(name="search", description="", parameters={}, effect=Effect.READS, origin=origin)
    context = CallContext(call_id=call_id, deadline=1.0, caller="rest", client="local", session_id=session)
    call = ToolCall(spec, {"say": output})
    ended = EndedCall("call", call, context, Answered(output), "grant" if by else "policy", by, *times)

    short = Shortening().of(ended)

    assert (short is None) == (not output or bool(by))
    if short is not None:
        assert msgspec.json.decode(short.line(), type=AuditEntry) == entry_of(ended, content=False)


async def test_what_does_more_than_read_is_on_disk_before_it_runs(tmp_path: Path) -> None:
    seen: list[str] = []

    async def look(*_: Any) -> Refused:
        with sqlite3.connect(tmp_path / FILE_NAME) as reader:
            seen.extend(line for (line,) in reader.execute("SELECT lines FROM audit"))
        return Refused("PERMISSION_DENIED", "no")

    async with policed(tmp_path, autonomy="full", audit={"flush_s": 60}) as policy:
        await policy.call(EffectTool("write", Effect.WRITES, work=look))
        kinds = [(entry.kind, entry.outcome) for entry in await policy.entries()]

    assert len(seen) == 1
    assert '"kind":"started"' in seen[0]
    assert kinds == [("started", ""), ("call", "refused")]


async def test_a_denied_call_says_who_denied_it(tmp_path: Path) -> None:
    async def fails() -> None:
        raise RuntimeError("broken")

    async with policed(tmp_path, hooks=[RecordingHook("rules", before=fails)]) as policy:
        await policy.call(READ)
        [entry] = await policy.entries()
    assert (entry.outcome, entry.decision, entry.by) == ("denied", "hook", "rules")


async def test_what_waits_when_the_gateway_ends_is_written(tmp_path: Path) -> None:
    async with policed(tmp_path, audit={"flush_s": 60}) as policy:
        for _ in range(300):
            await policy.call(READ)
    async with policed(tmp_path) as policy:
        assert len(await policy.entries()) == 300
        assert verify(await stretches(policy)).problem == ""


async def test_the_database_refuses_to_change_or_remove_an_entry(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        await policy.call(READ)
        await policy.entries()
        for statement in ("UPDATE audit SET lines = ''", "DELETE FROM audit"):
            with pytest.raises(StorageError, match="append-only"):
                await policy.database.write(lambda connection, sql=statement: connection.execute(sql))  # type: ignore[misc]


async def test_entries_of_one_session_or_tool_can_be_asked_for(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        await policy.call(READ)
        await policy.call(EffectTool("other", Effect.READS), session="t")
        assert [entry.tool for entry in await policy.entries(session="t")] == ["other"]
        assert [entry.session for entry in await policy.entries(tool="read")] == ["s"]
        assert [entry.number for entry in (await policy.parts.trail.after(1, 10))[0]] == [2]


async def test_retention_removes_the_oldest_and_the_chain_still_holds(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        for _ in range(3):
            await policy.call(READ)
            await policy.entries()
        old = verify(await stretches(policy))
        removed = await policy.database.write(lambda connection: prune(connection, before=float("inf")))
        await policy.call(READ)
        left = verify(await stretches(policy))
        [*_, pruned, _] = await policy.entries()

    assert (removed, old.entries, left.problem) == (2, 3, "")
    assert (pruned.kind, pruned.through, pruned.count) == ("pruned", 2, 2)
    assert left.through == 5


async def test_old_entries_are_removed_at_start(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        await policy.call(READ)
        await policy.entries()
        await policy.call(READ)
        await policy.entries()
        await policy.database.write(_make_old)
    async with policed(tmp_path, audit={"retention_days": 30}) as policy:
        assert [entry.kind for entry in await policy.entries()] == ["call", "pruned"]
        assert verify(await stretches(policy)).problem == ""


def _make_old(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TRIGGER audit_keeps")
    connection.execute("UPDATE audit SET at = at - 31 * 86400 WHERE through = 1")


async def test_an_entry_that_cannot_be_written_costs_no_other_and_what_does_more_than_read_is_not_run(
    tmp_path: Path,
) -> None:
    odd = Origin("half a \ud83d character")
    write = EffectTool("write", Effect.WRITES, odd)
    async with policed(tmp_path, autonomy="full") as policy:
        assert ran(await policy.call(READ))
        assert ran(await policy.call(EffectTool("odd", Effect.READS, odd)))
        assert ran(await policy.call(READ))
        entries = await policy.entries()
        assert not ran(await policy.call(write))
        assert verify(await stretches(policy)).problem == ""

    assert [(entry.kind, entry.tool, entry.count) for entry in entries] == [
        ("call", "read", 0),
        ("lost", "", 1),
        ("call", "read", 0),
    ]
    assert write.ran_with == []


async def test_a_disk_that_cannot_be_written_keeps_back_what_does_more_than_read(tmp_path: Path) -> None:
    write = EffectTool("write", Effect.WRITES)
    async with policed(tmp_path, autonomy="full") as policy:
        await policy.database.write(lambda connection: connection.execute("ALTER TABLE audit RENAME TO hidden"))
        outcome = await policy.call(write)
        assert ran(await policy.call(READ))
        await policy.database.write(lambda connection: connection.execute("ALTER TABLE hidden RENAME TO audit"))
        kinds = [entry.kind for entry in await policy.entries()]

    assert write.ran_with == []
    assert "audit trail" in getattr(outcome, "reason", "")
    assert kinds == ["started", "call", "call"]


def trail(*counts: int) -> list[Stretch]:
    made, seal, through = [], FIRST_SEAL, 0
    for count in counts:
        through += count
        lines = "\n".join(f'{{"at":"2026-03-11T10:00:00Z","kind":"call","tool":"t{n}"}}' for n in range(count))
        seal = seal_of(seal, through, lines)
        made.append(Stretch(through=through, lines=lines, seal=seal))
    return made


def test_a_trail_that_nobody_touched_holds() -> None:
    assert verify([]).problem == ""
    whole = verify(trail(2, 1, 3))
    assert (whole.problem, whole.entries, whole.through) == ("", 6, 6)


@given(counts=st.lists(st.integers(1, 4), min_size=2, max_size=5), data=st.data())
def test_whatever_is_changed_removed_or_swapped_shows(counts: list[int], data: st.DataObject) -> None:
    made = trail(*counts)
    noted = made[-1].seal.hex()
    place = data.draw(st.integers(0, len(made) - 1))
    how = data.draw(st.sampled_from(["change", "remove", "cut", "renumber", "swap"]))
    if how == "change":
        made[place] = msgspec.structs.replace(made[place], lines=made[place].lines.replace("call", "lost", 1))
    elif how == "remove":
        del made[place]
    elif how == "cut":
        del made[place:]
    elif how == "renumber":
        made[place] = msgspec.structs.replace(made[place], through=made[place].through + 1)
    else:
        made[0], made[-1] = made[-1], made[0]
    assert verify(made, noted_seal=noted).problem


def test_a_beginning_that_is_gone_must_have_been_removed_by_retention() -> None:
    assert "no entry says" in verify(trail(2, 2, 2)[1:]).problem
