"""Who may log in: a person with a password, and the app passwords that were granted in their name."""
from __future__ import annotations

import base64
import binascii
import hmac
import secrets
import string
import typing

from quirks import Quirks
from refusals import Refusal
from store import Store
from wire import Request

CHALLENGE = ("WWW-Authenticate", 'Basic realm="Nextcloud", charset="UTF-8"')


def token(length: int) -> str:
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(length))


class Accounts:
    """One person's logins."""

    def __init__(self, store: Store, quirks: Quirks, user: str, password: str) -> None:
        self.store, self.quirks, self.user, self.password = store, quirks, user, password

    @property
    def app_passwords(self) -> list[str]:
        found: list[str] = self.store.kept.setdefault("app-passwords", [])
        return found

    def check(self, request: Request) -> str:
        """The password of a request that logs in; refuses all others."""
        user, password = self._basic(request)
        if not self.is_known(user, password):
            raise Refusal(401, "The login is missing or wrong.", headers=[CHALLENGE])
        return password

    def is_known(self, user: str, password: str) -> bool:
        known = [self.password, *self.app_passwords]
        is_right = any(hmac.compare_digest(password.encode(), one.encode()) for one in known)
        return user == self.user and is_right and not self.quirks.has("revoked")

    @staticmethod
    def _basic(request: Request) -> tuple[str, str]:
        kind, _, text = request.header("authorization").partition(" ")
        if kind.lower() != "basic":
            return "", ""
        try:
            user, _, password = base64.b64decode(text.strip(), validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return "", ""
        return user, password

    def grant(self) -> str:
        """A new app password."""
        with self.store.lock:
            self.app_passwords.append(made := token(72))
            self.store.changed.set()
        return made

    def revoke(self, password: str) -> bool:
        """Takes an app password back; False if it is none."""
        with self.store.lock:
            if password not in self.app_passwords:
                return False
            self.app_passwords.remove(password)
            self.store.changed.set()
        return True

    def revoke_all(self) -> None:
        with self.store.lock:
            self.app_passwords.clear()
            self.store.changed.set()


class Login:
    """A login in the browser (flow v2) that somebody began."""

    def __init__(self) -> None:
        self.poll, self.flow = token(128), token(128)
        self.password: str | None = None


class Logins:
    """Logins in the browser. The person agrees by a control request."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self.begun: list[Login] = []

    def begin(self, server: str) -> dict[str, typing.Any]:
        self.begun.append(login := Login())
        return {
            "poll": {"token": login.poll, "endpoint": f"{server}/login/v2/poll"},
            "login": f"{server}/login/v2/flow/{login.flow}"}

    def grant(self, flow: str | None) -> bool:
        """The person agrees to a login, the one that was begun last if none is named; False if there is none."""
        waiting = [login for login in self.begun if login.password is None and flow in (None, login.flow)]
        if waiting:
            waiting[-1].password = self.accounts.grant()
        return bool(waiting)

    def poll(self, server: str, token: str) -> dict[str, str] | None:
        """The new login, once; None before the person agreed, and ever after."""
        for login in self.begun:
            if login.poll == token and login.password is not None:
                self.begun.remove(login)
                return {"server": server, "loginName": self.accounts.user, "appPassword": login.password}
        return None

    def is_flow(self, flow: str) -> bool:
        return any(login.flow == flow for login in self.begun)
