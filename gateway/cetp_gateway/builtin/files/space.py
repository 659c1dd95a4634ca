"""The file space of the tools: the workspace of a call and the folders that the owner allows besides.

Above: the file tools. Below: `guard`, `roots`, settings.
"""

import os
import threading
from pathlib import Path

from cetp_gateway.api import CallContext
from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.files.guard import Guard
from cetp_gateway.builtin.files.place import Place
from cetp_gateway.builtin.files.roots import Root, names_of
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.builtin import BuiltinSettings


class FileSpace:
    """Shared by all file tools. Blocking; the tools call it in a thread.

    Args:
        settings: allowed folders and sizes.
        data_folder: the gateway's own, closed but for the workspace in it.

    Raises:
        SettingsError: an allowed folder is no absolute path.
    """

    def __init__(self, settings: BuiltinSettings, data_folder: Path) -> None:
        self._allowed = tuple(_allowed(folder) for folder in settings.allowed_folders)
        self._private = names_of(os.path.realpath(data_folder))
        self.file_bytes = settings.file_bytes
        self.writing = threading.Lock()
        """Held by whoever reads a file in order to write it: calls of one step run at the same time."""

    def place(self, context: CallContext, path: str, *, writing: bool = False) -> Place:
        """The place that a path of a call names. Raises NotPossible."""
        return self.guard(context).place(path, writing=writing)

    def guard(self, context: CallContext) -> Guard:
        """The guard of a call; the workspace is made, for its owner alone, when it is not there."""
        folder = workspace_of(context)
        return Guard((Root.at(folder), *(Root.at(allowed) for allowed in self._allowed)), self._private)


def workspace_of(context: CallContext) -> Path:
    """The workspace of a call. Raises NotPossible when it has none."""
    if context.workspace is None:
        raise NotPossible("This call has no workspace, so there are no files for it.")
    context.workspace.mkdir(mode=0o700, parents=True, exist_ok=True)
    return context.workspace


def _allowed(folder: str) -> Path:
    path = Path(folder).expanduser()
    if not path.is_absolute():
        raise SettingsError(f"builtin.allowed_folders: {folder!r} must be an absolute path.")
    return path
