"""Settings that change while the gateway runs: what follows at once, what needs a restart, and what a bad file does."""

import asyncio
from pathlib import Path

import pytest

from cetp_gateway.errors import SettingsError
from cetp_gateway.settings import Settings, SettingsSource
from support.fake_vendor import FakeVendor, answer, stream
from support.reloaded import FromFile, from_file
from support.vendor_streams import call_piece, openai_calls, openai_text
from support.wire_client import WireClient, wire


def vendor_settings(vendor: FakeVendor, **more: object) -> str:
    lines = {"provider": "openai", "name": "m", "base_url": vendor.url, "api_key": "sk-1", "retries": 0, **more}
    return "[model]\n" + "".join(f"{key} = {value!r}\n" for key, value in lines.items())


async def said(client: WireClient, text: str = "hello") -> str:
    return str((await client.ask(text))[-1]["full_response"])


async def test_the_next_turn_has_the_new_model_and_a_running_one_ends_with_the_old(tmp_path: Path) -> None:
    async with FakeVendor() as old, FakeVendor() as new:
        old.will(stream(*openai_calls(call_piece("{}", name="lamp", id="c1"))), stream(*openai_text("from one")))
        new.will(stream(*openai_text("from two")))
        async with from_file(tmp_path, vendor_settings(old)) as gateway, wire(gateway.running) as client:
            await client.register("lamp")
            await client.say("message", content="hello")
            request = (await client.until("tool_call_request"))[-1]
            gateway.says(vendor_settings(new))
            assert (await gateway.reload())["changed"] == ["model.base_url"]
            async with wire(gateway.running, "?session_id=other") as other:
                assert await said(other) == "from two"
            await client.answer(request)
            assert (await client.until("done"))[-1]["full_response"] == "from one"
    assert (len(old.requests), len(new.requests)) == (2, 1)


async def test_a_new_policy_holds_for_the_next_turn_on_the_same_socket(tmp_path: Path) -> None:
    text = "[model]\nprovider = 'offline'\n"
    async with from_file(tmp_path, text) as gateway, wire(gateway.running) as client:
        await client.register({"name": "lamp", "description": "The lamp.", "parameters": {"type": "object"}})
        first = await gateway.http.get("/api/tools")
        gateway.says(text + "[tools]\ndenied = ['lamp']\n")
        assert (await gateway.reload())["changed"] == ["tools.denied"]
        second = await gateway.http.get("/api/tools")
        refused = await gateway.http.post("/api/tools/lamp/call", json={})
    enabled = [{row["name"]: row["enabled"] for row in listed.json()["tools"]}["lamp"] for listed in (first, second)]
    assert enabled == [True, False]
    assert refused.status_code == 404


async def test_autonomy_follows_the_file(tmp_path: Path) -> None:
    async with from_file(tmp_path, "[policy]\nautonomy = 'full'\n") as gateway, wire(gateway.running) as client:
        await client.introduce("registrations")
        await client.register(
            {"name": "lamp_on", "description": "Lamp.", "parameters": {"type": "object"}, "effect": "writes"}
        )
        gateway.says("[policy]\nautonomy = 'read_only'\n")
        assert (await gateway.reload())["status"] == 200
        refused = await gateway.http.post("/api/tools/lamp_on/call", json={})
    assert refused.status_code == 403
    assert "read_only" in refused.text


async def test_limits_follow_the_file(tmp_path: Path) -> None:
    async with from_file(tmp_path) as gateway:
        gateway.says("[limits]\ntool_timeout_s = 2.0\nbody_bytes = 1024\n")
        assert (await gateway.reload())["changed"] == ["limits.body_bytes", "limits.tool_timeout_s"]
        too_patient = await gateway.http.post("/api/tools/x/call", json={"timeout_ms": 2001})
        too_large = await gateway.http.post("/api/tools/x/call", json={"arguments": {"a": "b" * 2000}})
    assert too_patient.status_code == 400
    assert "at most 2000" in too_patient.text
    assert too_large.status_code == 413


@pytest.mark.parametrize(
    ("text", "line", "names"),
    [
        ("[limits]\ntool_timeout_s = 'long'\n", 11, "limits.tool_timeout_s"),
        ("[limits]\n\n[limtis]\nx = 1\n", 12, "limits"),
        ("[model]\nprovider = 'offline'\nnmae = 'x'\n", 12, "Did you mean name"),
        ("[model]\nprovider = 'ofline'\n", 11, "Did you mean offline"),
        ("[agent]\nmax_steps = 3\nhooks = ['lgo']\n", 12, "Did you mean 'log'"),
        ("[policy]\nclients = [\n  'phone',\n]\n", 11, "CLIENT=LEVEL"),
        ("[model]\nprovider = \n", 11, "not valid TOML"),
        ('[model]\nname = """\na\nb"""\ntemperature = 3\n', 14, "model.temperature"),
    ],
)
async def test_a_bad_file_leaves_everything_in_force_and_its_line_is_named(
    tmp_path: Path, text: str, line: int, names: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with from_file(tmp_path, "[limits]\ntool_timeout_s = 7.0\n") as gateway:
        gateway.says(text)
        refused = await gateway.reload()
        status = await gateway.status()
        still = await gateway.http.post("/api/tools/x/call", json={"timeout_ms": 7001})
        gateway.says("")
        assert (await gateway.reload())["status"] == 200
        assert (await gateway.status())["error"] == ""
    assert refused["status"] == 409
    for told in (refused["error"], status["error"], caplog.text):
        assert f"line {line}" in told
        assert names in told
    assert "at most 7000" in still.text


async def test_a_bad_variable_is_named_and_no_line_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "cetp.toml"
    file.write_text("[model]\nfallbacks = ['ollama/x']\n")
    with pytest.raises(SettingsError, match="CETP_MODEL_TEMPERATURE"):
        SettingsSource(file, {"CETP_MODEL_TEMPERATURE": "7"}).read()


async def test_what_needs_a_restart_is_named_and_the_rest_is_in_force(tmp_path: Path) -> None:
    async with from_file(tmp_path) as gateway:
        before = gateway.running.runtime.settings.server
        gateway.file.write_text(
            "[server]\nport = 4242\nhost = '0.0.0.0'\nrequire_pairing = false\n[agent]\nmax_steps = 3\n"
            "[sessions]\ntitles = false\n[memory]\nconsolidate = false\n[reload]\nwatch_s = 0\n"
        )
        answer = await gateway.reload()
        assert answer["changed"] == ["agent.max_steps"]
        assert answer["restart_for"] == ["server.host", "server.port"]
        assert answer["restart_required"] is True
        assert "server.port" in answer["message"]
        assert (await gateway.status())["restart_for"] == ["server.host", "server.port"]
        assert gateway.running.runtime.settings.server == before
        assert gateway.running.runtime.settings.agent.max_steps == 3


async def put(gateway: FromFile, text: str) -> tuple[int, dict[str, object]]:
    answer = await gateway.http.put("/api/config", content=text)
    return answer.status_code, answer.json()


async def test_settings_that_are_put_are_in_force_at_once(tmp_path: Path) -> None:
    async with from_file(tmp_path, "[agent]\nmax_steps = 4\n") as gateway:
        shown = (await gateway.http.get("/api/config")).json()["content"]
        status, answer = await put(gateway, shown.replace("max_steps = 4", "max_steps = 5"))
        assert (status, answer["saved"], answer["restart_required"]) == (200, True, False)
        assert answer["changed"] == ["agent.max_steps"]
        assert gateway.running.runtime.settings.agent.max_steps == 5


async def test_settings_that_are_put_and_cannot_be_used_are_not_written(tmp_path: Path) -> None:
    async with from_file(tmp_path, "[agent]\nmax_steps = 4\n") as gateway:
        before = gateway.file.read_text()
        status, answer = await put(gateway, before.replace("max_steps = 4", "hooks = ['none']"))
        assert status == 400
        assert "line 11" in str(answer["error"])
        assert gateway.file.read_text() == before
        assert gateway.running.runtime.settings.agent.max_steps == 4


async def test_only_those_who_decide_about_calls_may_change_the_settings(tmp_path: Path) -> None:
    async with from_file(tmp_path, "[policy]\napprovers = ['phone-1']\n") as gateway:
        status, answer = await put(gateway, "")
        assert (status, "policy.approvers" in str(answer["error"])) == (403, True)
        assert (await gateway.reload())["status"] == 403


class Noticed:
    """Waits for settings to come into force."""

    def __init__(self, gateway: FromFile) -> None:
        self._changed = asyncio.Event()
        gateway.running.runtime.reloading.subscribe(self._note)

    def _note(self, settings: Settings) -> None:
        self._changed.set()

    async def change(self) -> None:
        async with asyncio.timeout(10):
            await self._changed.wait()


async def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    async with from_file(tmp_path, "[agent]\nmax_steps = 4\n") as gateway:
        gateway.file.write_text(gateway.file.read_text().replace("watch_s = 0", "watch_s = 0.05"))
        await gateway.reload()
        heard = Noticed(gateway)
        gateway.file.write_text(gateway.file.read_text().replace("max_steps = 4", "max_steps = 6"))
        await heard.change()
        assert gateway.running.runtime.settings.agent.max_steps == 6


async def test_hooks_follow_the_file(tmp_path: Path) -> None:
    async with from_file(tmp_path) as gateway:
        assert [hook.name for hook in gateway.running.runtime.hooks] == ["security", "log"]
        gateway.says("[agent]\nhooks = []\n")
        assert (await gateway.reload())["changed"] == ["agent.hooks"]
        assert [hook.name for hook in gateway.running.runtime.hooks] == ["security"]


async def test_a_key_in_a_file_is_read_again_when_it_is_changed(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("sk-first\n")
    key.chmod(0o600)
    async with FakeVendor() as vendor:
        vendor.will(stream(*openai_text("one")), stream(*openai_text("two")))
        text = vendor_settings(vendor, api_key="", api_key_file=str(key)).replace("api_key = ''\n", "")
        async with from_file(tmp_path, text) as gateway, wire(gateway.running) as client:
            await said(client)
            key.write_text("sk-second\n")
            assert (await gateway.reload())["changed"] == ["model.api_key"]
            await said(client)
            shown = await gateway.http.get("/api/config")
    assert [asked.headers["authorization"] for asked in vendor.requests] == ["Bearer sk-first", "Bearer sk-second"]
    assert "sk-" not in shown.text


async def test_a_model_that_is_asked_for_its_list_is_the_one_in_force(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.will(answer({"data": [{"id": "m"}]}))
        async with from_file(tmp_path, "[model]\nprovider = 'offline'\n") as gateway:
            gateway.says(vendor_settings(vendor))
            await gateway.reload()
            listed = await gateway.http.get("/api/provider/models")
            assert listed.json()["data"][0]["id"] == "m"
            assert (await gateway.http.get("/api/status")).json()["provider"] == "openai"
