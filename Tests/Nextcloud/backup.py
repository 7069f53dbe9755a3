"""A backup of the person's files, and putting it back: what clients have seen since then never was, ids included."""
from __future__ import annotations

import shutil

from refusals import Refusal
from store import Store


def make(store: Store) -> None:
    """Keeps files, ids and tags as they are now, instead of what was kept before."""
    place = store.disk.beside / "backup"
    with store.lock:
        shutil.rmtree(place, ignore_errors=True)
        store.save()
        shutil.copytree(store.disk.path, place / "files", symlinks=True)
        shutil.copy(store.state, place / "state.json")


def restore(store: Store) -> None:
    """Puts files, ids and tags back. The fingerprint, which tells clients of it, is changed by whoever does this: a quirk."""
    place = store.disk.beside / "backup"
    if not place.exists():
        raise Refusal(404, "There is no backup.")
    with store.lock:
        for name in store.disk.entries(()):
            store.disk.remove((name,))
        shutil.copytree(place / "files", store.disk.path, symlinks=True, dirs_exist_ok=True)
        store.load_tree(place / "state.json")
        store.changed.set()
