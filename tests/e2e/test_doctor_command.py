"""`cetp doctor` as its users run it: beside a gateway of its own process, and before there is one."""

import json
import os
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from support.blackhole import Blackhole
from support.fake_vendor import FakeVendor, answer
from support.served import Ended, cetp, served

KEY = "sk-doctor-secret"


def data_folder(folder: Path) -> Path:
    path = folder / "data" / "cetp"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def write_settings(folder: Path, text: str, mode: int = 0o600) -> Path:
    file = data_folder(folder) / "cetp.toml"
    file.write_text(text)
    file.chmod(mode)
    return file


def found(ended: Ended) -> dict[str, list[dict[str, Any]]]:
    """The findings by what they are about."""
    assert ended.err == "", ended.err
    by_subject: dict[str, list[dict[str, Any]]] = {}
    for finding in json.loads(ended.out)["findings"]:
        by_subject.setdefault(finding["about"], []).append(finding)
    return by_subject


async def doctor(folder: Path, *words: str, **settings: str) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    ended = await cetp("doctor", "--json", *words, folder=folder, **settings)
    assert KEY not in ended.out
    return ended.code, found(ended)


def state(findings: dict[str, list[dict[str, Any]]], about: str) -> str:
    """The worst state of a subject."""
    order = ["broken", "warning", "ok", "skipped"]
    return min((str(finding["state"]) for finding in findings[about]), key=order.index)


def everything(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


async def test_before_the_first_start_nothing_is_broken_and_nothing_is_made(tmp_path: Path) -> None:
    before = everything(tmp_path)
    code, findings = await doctor(tmp_path, "--offline")
    assert code == 0
    assert {"settings", "data folder", "disk", "database", "clock", "port", "TLS", "model", "memory"} < set(findings)
    assert everything(tmp_path) == before


async def test_people_get_a_table_with_what_to_do(tmp_path: Path) -> None:
    write_settings(tmp_path, "[server]\nprot = 1\n")
    ended = await cetp("doctor", folder=tmp_path)
    assert ended.code == 1
    words = " ".join(ended.out.split())
    assert "cetp.toml, line 2" in words
    assert "→" in words
    assert "1 broken" in words


async def test_a_running_gateway_is_seen_with_its_devices_and_its_database(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway:
        answered = await gateway.cetp("doctor", "--json", "--offline")
        assert answered.code == 0, answered.out
        findings = found(answered)
        assert gateway.url in findings["port"][0]["says"]
        assert findings["devices"][0]["says"] == "No device is paired."
        assert "cetp pair" in findings["devices"][0]["fix"]
        assert [finding["state"] for finding in findings["database"]] == ["ok", "ok"]
        assert "running gateway" in findings["memory"][0]["says"]
        code = (await gateway.cetp("pair", "--no-wait")).out.strip()
        await gateway.cetp("pair", "--code", code, "--name", "tablet")
        told = found(await gateway.cetp("doctor", "--json", "--offline"))["devices"][0]
        assert (told["state"], "tablet" in told["says"]) == ("warning", True)


async def test_what_a_running_gateway_has_not_taken_over_is_told(tmp_path: Path) -> None:
    file = write_settings(tmp_path, "[reload]\nwatch_s = 0\n")
    async with served(tmp_path) as gateway:
        file.write_text("[reload]\nwatch_s = 0\n[agent]\nmax_steps = 0\n")
        assert (await gateway.cetp("reload")).code == 1
        answered = await gateway.cetp("doctor", "--json", "--offline")
        assert answered.code == 1
        says = [finding["says"] for finding in found(answered)["settings"]]
        assert all("cetp.toml, line 4" in text for text in says)
        assert len(says) == 2
        file.write_text("[reload]\nwatch_s = 0\n[server]\nping_interval_s = 5.0\n")
        await gateway.cetp("reload")
        told = found(await gateway.cetp("doctor", "--json", "--offline"))["settings"]
        assert "server.ping_interval_s" in told[1]["says"]


async def test_the_port_of_another_program_is_told(tmp_path: Path) -> None:
    async with Blackhole() as other:
        code, findings = await doctor(tmp_path, "--offline", CETP_SERVER_PORT=str(other.port))
    assert code == 1
    assert "Another program listens" in findings["port"][0]["says"]


async def test_a_damaged_database_and_one_of_a_newer_program_are_broken(tmp_path: Path) -> None:
    path = data_folder(tmp_path) / "cetp.db"
    path.write_bytes(b"SQLite format 3\0" + os.urandom(8192))
    code, findings = await doctor(tmp_path, "--offline")
    assert (code, state(findings, "database")) == (1, "broken")
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE devices (id)")
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    code, findings = await doctor(tmp_path, "--offline")
    assert (code, state(findings, "database")) == (1, "broken")
    assert "9999" in findings["database"][0]["says"]


async def test_damage_inside_a_database_is_found(tmp_path: Path) -> None:
    path = data_folder(tmp_path) / "cetp.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text)")
    connection.execute("CREATE INDEX by_text ON notes (text)")
    connection.executemany("INSERT INTO notes VALUES (?)", [(f"note {number} " * 20,) for number in range(500)])
    connection.commit()
    connection.close()
    content = bytearray(path.read_bytes())
    content[5 * 4096 : 5 * 4096 + 200] = b"\xff" * 200
    path.write_bytes(content)
    code, findings = await doctor(tmp_path, "--offline")
    assert (code, state(findings, "database")) == (1, "broken")


async def test_a_clock_behind_its_own_files_is_broken(tmp_path: Path) -> None:
    path = data_folder(tmp_path) / "cetp.db"
    sqlite3.connect(path).close()
    path.touch()
    os.utime(path, (time.time() + 3600,) * 2)
    code, findings = await doctor(tmp_path, "--offline")
    assert (code, state(findings, "clock")) == (1, "broken")
    assert "timedatectl" in findings["clock"][0]["fix"]


async def test_what_others_may_read_is_a_warning(tmp_path: Path) -> None:
    write_settings(tmp_path, f"[model]\napi_key = '{KEY}'\nbase_url = 'http://127.0.0.1:9'\nname = 'm'\n", 0o644)
    data_folder(tmp_path).chmod(0o755)
    code, findings = await doctor(tmp_path, "--offline")
    assert code == 0
    assert state(findings, "settings") == state(findings, "data folder") == "warning"
    assert "model.api_key" in findings["settings"][1]["says"]
    assert "chmod 600" in findings["settings"][1]["fix"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_a_data_folder_that_takes_nothing_is_broken(tmp_path: Path) -> None:
    data_folder(tmp_path).chmod(0o500)
    code, findings = await doctor(tmp_path, "--offline")
    assert (code, state(findings, "data folder")) == (1, "broken")


async def test_a_file_in_the_place_of_the_data_folder_is_broken(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "cetp").write_text("")
    code, findings = await doctor(tmp_path, "--offline")
    assert (code, state(findings, "data folder")) == (1, "broken")


async def test_broken_skills_and_personas_are_warnings(tmp_path: Path) -> None:
    for path, text in (
        ("skills/good/SKILL.md", "Works."),
        ("skills/bad/SKILL.md", "---\nname"),
        ("personas/bad.md", "---\nallowed: 1\n---\nx"),
    ):
        file = data_folder(tmp_path) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    code, findings = await doctor(tmp_path, "--offline")
    assert code == 0
    assert findings["skills"][0]["says"] == "1 can be used."
    assert state(findings, "skills") == state(findings, "personas") == "warning"


def of_model(vendor: FakeVendor, **more: str) -> dict[str, str]:
    return {
        "CETP_MODEL_PROVIDER": "openai",
        "CETP_MODEL_NAME": "m",
        "CETP_MODEL_BASE_URL": vendor.url,
        "CETP_MODEL_API_KEY": KEY,
        **more,
    }


async def test_a_model_that_lists_its_models_is_well_and_costs_nothing(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.will(*[answer({"data": [{"id": "m"}]})] * 2)
        code, findings = await doctor(tmp_path, **of_model(vendor))
        assert (code, findings["model"][0]["state"]) == (0, "ok")
        assert {asked.method for asked in vendor.requests} <= {"GET", "HEAD"}
        vendor.requests.clear()
        code, findings = await doctor(tmp_path, "--offline", **of_model(vendor))
        assert (code, findings["model"][0]["state"]) == (0, "skipped")
        assert vendor.requests == []


async def test_a_model_without_a_list_is_asked_for_a_word(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.otherwise = {"HEAD": answer({})}
        vendor.will(
            answer({"error": {"message": "no such page"}}, 404),
            answer({"choices": [{"message": {"role": "assistant", "content": "yes"}, "finish_reason": "stop"}]}),
        )
        code, findings = await doctor(tmp_path, **of_model(vendor))
    assert (code, findings["model"][0]["state"]) == (0, "ok"), findings["model"]


async def test_a_key_that_is_refused_is_broken_and_not_shown(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.otherwise = {"HEAD": answer({}), "GET": answer({"error": {"message": f"bad key {KEY}"}}, 401)}
        code, findings = await doctor(tmp_path, **of_model(vendor))
    assert (code, findings["model"][0]["state"]) == (1, "broken")
    assert "api_key_file" in findings["model"][0]["fix"]


async def test_a_server_that_says_another_time_shows_a_wrong_clock(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.otherwise = {
            "HEAD": answer({}, date="Mon, 02 Jan 2023 03:04:05 GMT"),
            "GET": answer({"data": [{"id": "m"}]}),
        }
        code, findings = await doctor(tmp_path, **of_model(vendor))
    assert (code, findings["clock"][0]["state"]) == (1, "broken")


async def test_nobody_at_the_models_address_is_broken_and_a_dead_fallback_a_warning(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.otherwise = {"HEAD": answer({}), "GET": answer({"data": [{"id": "m"}]})}
        code, findings = await doctor(tmp_path, **of_model(vendor, CETP_MODEL_FALLBACKS="openai/x@http://127.0.0.1:9"))
        assert (code, findings["model"][0]["state"], findings["fallback"][0]["state"]) == (0, "ok", "warning")
        dead = of_model(vendor) | {"CETP_MODEL_BASE_URL": "http://127.0.0.1:9"}
        code, findings = await doctor(tmp_path, **dead)
        assert (code, findings["model"][0]["state"]) == (1, "broken")


async def test_certificates_are_looked_at(tmp_path: Path) -> None:
    async with served(tmp_path, "--tls", "self-signed"):
        pass
    code, findings = await doctor(tmp_path, "--offline", CETP_SERVER_TLS="self-signed")
    assert (code, findings["TLS"][0]["state"]) == (0, "ok"), findings["TLS"]
    assert "good until" in findings["TLS"][0]["says"]
    (data_folder(tmp_path) / "tls.pem").write_text("nonsense")
    code, findings = await doctor(tmp_path, "--offline", CETP_SERVER_TLS="self-signed")
    assert (code, findings["TLS"][0]["state"]) == (1, "broken")
