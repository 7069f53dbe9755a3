"""Answers that say why a request was not carried out, in the form of the library that Nextcloud's WebDAV is made with."""
from __future__ import annotations

from xml.sax.saxutils import escape

from wire import Headers, Response

# The name of the exception that goes with a status. Clients of Nextcloud tell some failures apart by it alone.
EXCEPTIONS = {
    400: r"Sabre\DAV\Exception\BadRequest", 401: r"Sabre\DAV\Exception\NotAuthenticated",
    403: r"Sabre\DAV\Exception\Forbidden", 404: r"Sabre\DAV\Exception\NotFound",
    405: r"Sabre\DAV\Exception\MethodNotAllowed", 409: r"Sabre\DAV\Exception\Conflict",
    412: r"Sabre\DAV\Exception\PreconditionFailed", 415: r"Sabre\DAV\Exception\UnsupportedMediaType",
    416: r"Sabre\DAV\Exception\RequestedRangeNotSatisfiable", 423: r"OCA\DAV\Connector\Sabre\Exception\FileLocked",
    501: r"Sabre\DAV\Exception\NotImplemented", 503: r"Sabre\DAV\Exception\ServiceUnavailable",
    507: r"Sabre\DAV\Exception\InsufficientStorage",
}
INVALID_PATH = r"OCA\DAV\Connector\Sabre\Exception\InvalidPath"


class Refusal(Exception):
    """A request is not carried out."""

    def __init__(
        self, status: int, message: str, exception: str | None = None, headers: Headers | None = None, inner: str = "",
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.headers, self.inner = status, message, headers or [], inner
        self.exception = EXCEPTIONS.get(status, r"Sabre\DAV\Exception") if exception is None else exception

    def response(self) -> Response:
        """The answer that says so."""
        if self.status == 304:
            return Response(304, self.headers)
        text = (
            '<?xml version="1.0" encoding="utf-8"?>\n<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns">\n'
            f"  <s:exception>{escape(self.exception)}</s:exception>\n  <s:message>{escape(self.message)}</s:message>\n"
            f"{self.inner}</d:error>\n")
        return Response(self.status, [("Content-Type", "application/xml; charset=utf-8"), *self.headers], text.encode())
