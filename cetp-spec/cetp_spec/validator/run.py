"""Runs the validator over inputs of any kind. Bad input never raises: it becomes problems."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from cetp_spec.validator.answers.check import check_answer
from cetp_spec.validator.answers.json_text import MAX_JSON_BYTES
from cetp_spec.validator.inputs import Input, input_of
from cetp_spec.validator.kinds import Kind, kind_of_bytes
from cetp_spec.validator.manifest.check import (
    CheckedManifest,
    check_apk,
    check_manifest,
    check_project,
    summary_of,
)
from cetp_spec.validator.manifest.facts import Manifest
from cetp_spec.validator.manifest.owners import owner_problems
from cetp_spec.validator.manifest.roles import is_provider
from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.report import Checked, Report
from cetp_spec.validator.rules import problem
from cetp_spec.validator.unreadable import Unreadable


class _Result(msgspec.Struct, kw_only=True):
    """What one input gave."""

    problems: Sequence[Problem] = ()
    checked: Sequence[Checked] = ()
    manifests: Sequence[Manifest] = ()


def validate(
    source: str | Path | bytes, kind: Kind | str | None = None, *, application_id: str = "", name: str = ""
) -> list[Problem]:
    """All problems of one file, project folder or, as bytes, content.

    Args:
        source: a path, or the content itself.
        kind: what to take it for; found by content when None.
        application_id: of the app, where the input does not say it: for placeholders and the label before names.
        name: what stands in the places of the problems; the path, or `-` for bytes, when empty.

    Raises:
        ValueError: `kind` is no kind.
    """
    wanted = None if kind is None else Kind(kind)
    return list(check([input_of(source, name)], wanted, application_id=application_id).problems)


def check(inputs: Sequence[Input], kind: Kind | None = None, *, application_id: str = "") -> Report:
    """All problems of some inputs, in their order, and what two of them own that only one app may own."""
    # Manifests first: the app's id decides the label in front of its tools' names.
    early = [_safely(item, partial(_manifests, item, kind, application_id)) for item in inputs]
    manifests = [facts for result in early if result for facts in result.manifests]
    label_of = application_id or _only_provider(manifests)
    results = [
        result or _safely(item, partial(_answer, item, kind, label_of))
        for item, result in zip(inputs, early, strict=True)
    ]
    done = [result for result in results if result is not None]
    return Report(
        problems=(*(found for result in done for found in result.problems), *owner_problems(manifests)),
        checked=tuple(item for result in done for item in result.checked),
    )


def _safely(item: Input, action: Callable[[], _Result | None]) -> _Result | None:
    try:
        return action()
    except Unreadable as fault:
        found = problem(fault.rule, Place(item.shown, fault.line), fault.message)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "the path is not valid"
        found = problem("input.missing", Place(item.shown), f"cannot be opened: {reason}")
    return _Result(problems=[found], checked=[Checked(file=item.shown, kind="unknown", summary="")])


def _manifests(item: Input, kind: Kind | None, application_id: str) -> _Result | None:
    """The result of a folder, APK or manifest; None for what is to be read as JSON."""
    if item.is_folder and item.path is not None:
        return _of_manifests(check_project(item.path, item.shown, application_id), Kind.MANIFEST)
    found = kind or kind_of_bytes(item.head())
    if found is Kind.APK:
        return _of_manifests([check_apk(item)], found)
    if found is Kind.MANIFEST:
        return _of_manifests([check_manifest(item, application_id)], found)
    return None


def _of_manifests(checked: Sequence[CheckedManifest], kind: Kind) -> _Result:
    return _Result(
        problems=[found for item in checked for found in item.problems],
        checked=[
            Checked(file=item.shown, kind=kind, summary=summary_of(item.facts) if item.facts else "")
            for item in checked
        ],
        manifests=[item.facts for item in checked if item.facts],
    )


def _answer(item: Input, kind: Kind | None, application_id: str) -> _Result:
    content = item.read(MAX_JSON_BYTES)
    start = content[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
    if kind is None and not start.startswith((b"{", b"[")):
        found = "begins like neither XML, an APK nor a JSON object" if content.strip() else "is empty"
        raise Unreadable("input.kind-unknown", found)
    answer = check_answer(content, item.shown, kind, application_id)
    checked = Checked(file=item.shown, kind=answer.kind, summary=answer.summary)
    return _Result(problems=answer.problems, checked=[checked])


def _only_provider(manifests: Sequence[Manifest]) -> str:
    """The id of the one provider app among the manifests; empty when there are none or several."""
    found = {facts.application_id for facts in manifests if is_provider(facts)}
    return found.pop() if len(found) == 1 else ""
