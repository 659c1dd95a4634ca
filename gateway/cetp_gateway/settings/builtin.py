"""Settings of the tools that ship with the gateway: `[builtin]`."""

from typing import Annotated, Literal

from msgspec import Meta

from cetp_gateway.settings.values import Bytes, Seconds, Section


class BuiltinSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which of the gateway's own tools are offered, and what they may reach. All of them are listed in
    `builtin/all_tools.py`.
    """

    enabled: tuple[str, ...] = ("*",)
    """Globs of names; no other built-in tool is offered. run_command needs policy.allowed_commands besides: there is
    nothing that it could run without."""
    disabled: tuple[str, ...] = ()
    """Globs of names that are not offered; wins over `enabled`."""
    allowed_folders: tuple[str, ...] = ()
    """Absolute paths of folders that file tools may use besides the workspace. Places that are known to hold keys and
    passwords, the system's settings and the gateway's own folder stay closed within them too."""
    file_bytes: Bytes = 8 * 1024 * 1024
    """Largest file that tools read or write."""
    command_sandbox: Literal["available", "required"] = "available"
    """Commands see the workspace and the system's programs, and no network. available: as far as this system can do
    that, and each result says what it cannot; required: where something is missing nothing is run."""
    command_network: bool = False
    """True lets commands into the network, the gateway's own address included."""
    command_folders: tuple[str, ...] = ()
    """Further folders that commands may read and run programs from; the system's own are /usr, /bin, /lib and /opt."""
    command_memory_mb: Annotated[int, Meta(ge=0, le=1_048_576)] = 4096
    """Address space of each process of a command, in MiB; 0 is no limit, which some interpreters need."""
    fetch_hosts: tuple[str, ...] = ()
    """Globs of web hosts that web_open may read without asking, such as *.wikipedia.org; a model may put words of the
    conversation into addresses there. Addresses that the person writes need no rule, all others web_fetch."""
    allow_private_hosts: tuple[str, ...] = ()
    """Globs of hosts within the owner's network, such as nas.local or 192.168.1.*, that the web tools may speak to."""
    fetch_bytes: Bytes = 2 * 1024 * 1024
    """Of one web page, unpacked; larger ones are refused."""
    fetch_timeout_s: Seconds = 20.0
    """For one web page with its redirections."""
    search_url: str = ""
    """Address of a search, with {query} in it, whose JSON is SearXNG's or Brave's, such as
    http://192.168.1.5:8888/search?format=json&q={query}; empty leaves web_search out."""
    search_api_key: str = ""
    """Better kept elsewhere, as with model.api_key: CETP_BUILTIN_SEARCH_API_KEY, a file, or keyring:SERVICE/NAME."""
    search_api_key_file: str = ""
    """The file that holds the key in one line; see model.api_key_file."""
    search_key_header: str = "Authorization"
    """The header that carries the key: as a bearer token in Authorization, bare in others."""

    question_timeout_s: Seconds = 300.0
    """Wait for the person's answer to a question of ask_user."""

    def __repr__(self) -> str:
        """Without the key: settings turn up in logs and tracebacks."""
        return f"BuiltinSettings(enabled={self.enabled!r}, disabled={self.disabled!r})"
