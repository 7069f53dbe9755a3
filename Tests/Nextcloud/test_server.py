"""The fake Nextcloud's files over WebDAV, asked as a client asks."""
from __future__ import annotations

import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import unittest

from case import Case
from nextcloud import FILES, PASSWORD, USER, basic


class WritingTests(Case):
    def test_a_write_answers_with_tag_and_id(self) -> None:
        answer = self.put("a", X_OC_Mtime="1234567890", OC_Checksum="SHA1:abc")
        self.assertEqual((answer.status, answer.headers["X-OC-MTime"]), (201, "accepted"))
        self.assertEqual(answer.tag, answer.headers["OC-ETag"])
        found = self.cloud.listing(
            self.path("a"), "0", "d:getetag", "oc:id", "oc:fileid", "d:getlastmodified", "oc:checksums", "oc:permissions",
            "d:getcontentlength", "oc:owner-id", "nc:nothing")[self.path("a")]
        self.assertEqual(found.pop("fileid"), str(int(found["id"][:8])))
        self.assertEqual(found, {
            "getetag": answer.tag, "id": answer.headers["OC-FileId"], "getlastmodified": "Fri, 13 Feb 2009 23:31:30 GMT",
            "checksums": "SHA1:abc", "permissions": "RGDNVW", "getcontentlength": "8", "owner-id": USER})
        self.assertEqual(os.stat(self.cloud.files / self.path("a")).st_mtime, 1234567890)

    def test_each_write_has_another_tag_and_the_same_id(self) -> None:
        answers = [self.put("a") for _ in range(3)]
        self.assertEqual([answer.status for answer in answers], [201, 204, 204])
        self.assertEqual(len({answer.tag for answer in answers}), 3)
        self.assertEqual(len({answer.headers["OC-FileId"] for answer in answers}), 1)

    def test_conditions_of_writes(self) -> None:
        tag = self.put("a", "first").tag
        self.assertEqual(self.put("a", "other", If_None_Match="*").status, 412)
        self.assertEqual(self.put("a", "other", If_Match='"none"').status, 412)
        self.assertEqual(self.put("a", "other", If_Match=f"W/{tag}").status, 412)
        self.assertEqual(self.put("b", "other", If_Match="*").status, 412)
        self.assertEqual(self.text("a"), "first")
        self.assertEqual(self.put("a", "second", If_Match=f'"none", {tag}').status, 204)
        self.assertEqual(self.put("b", "new", If_None_Match="*").status, 201)

    def test_one_of_many_conditional_writes_is_made(self) -> None:
        tag = self.put("a").tag
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            conditional = list(pool.map(lambda number: self.put("a", str(number), If_Match=tag).status, range(24)))
            new = list(pool.map(lambda number: self.put("b", str(number), If_None_Match="*").status, range(24)))
        self.assertEqual(sorted(conditional), [204] + [412] * 23)
        self.assertEqual(sorted(new), [201] + [412] * 23)

    def test_what_is_refused(self) -> None:
        self.assertEqual(self.put("none/a").status, 409)
        self.assertEqual(self.put("", "x").status, 409)
        self.assertEqual(self.put("a", Content_Range="bytes 0-1/9").status, 400)
        self.assertEqual(self.put("a", X_OC_Mtime="then").status, 400)
        self.assertEqual(self.cloud.file("MKCOL", self.here).status, 405)
        self.assertEqual(self.cloud.file("MKCOL", self.path("none/a")).status, 409)
        self.assertEqual(self.cloud.file("MKCOL", self.path("a"), b"<x/>", Content_Type="text/odd").status, 415)
        self.assertEqual(self.cloud.file("LOCK", self.path("a")).status, 501)
        self.assertEqual(self.cloud.file("GET", self.here).status, 501)
        self.assertEqual(self.cloud.file("HEAD", self.here).status, 200)

    def test_names(self) -> None:
        self.assertEqual([self.put(name).status for name in (".htaccess", "a.part", "a\\b", "a\nb", "n" * 251)],
                         [403, 403, 400, 400, 400])
        names = [
            "space and ä", "%41", "a?b#c", "semi;colon", ".hidden", "'\"<&>", "emoji 🦊", "A", "a", "con", "trailing.",
            "n" * 250]
        self.assertEqual({self.put(name, name).status for name in names}, {201})
        self.assertEqual(set(self.cloud.listing(self.here)), {self.here, *map(self.path, names)})
        self.assertEqual([self.text(name) for name in names], names)

    def test_names_are_composed(self) -> None:
        self.put("a\u0308")
        self.assertIn(self.path("ä"), self.cloud.listing(self.here))
        self.assertEqual(self.put("ä").status, 204)

    def test_nothing_leads_out_of_the_directory(self) -> None:
        outside = self.cloud.top / "outside"
        outside.write_text("outside")
        link = self.cloud.files / self.here / "link"
        link.symlink_to(self.cloud.top)
        for path in (
                "..", "%2e%2e/outside", "a/../../outside", f"{self.here}/link/outside", "%2e%2e%2foutside", "a%00b", "%ff"):
            answer = self.cloud.ask("GET", f"{FILES}/{path}")
            self.assertIn(answer.status, (400, 404), path)
            self.assertIn(self.cloud.ask("PUT", f"{FILES}/{path}", b"x").status, (400, 409), path)
        # A directory that the server knows becomes a link.
        link.unlink()
        self.cloud.file("MKCOL", self.path("link"))
        self.put("link/outside")
        link.rename(link.with_name("aside"))
        link.symlink_to(self.cloud.top)
        self.assertEqual(self.cloud.file("GET", self.path("link/outside")).status, 503)
        self.assertEqual(self.put("link/outside").status, 500)
        self.assertEqual(self.cloud.file("DELETE", self.path("link/outside")).status, 500)
        self.assertEqual(outside.read_text(), "outside")

    def test_missing_directories_are_made_where_asked_for(self) -> None:
        self.assertEqual(self.put("b/c/d", X_NC_WebDAV_AutoMkcol="1").status, 201)
        self.assertEqual(self.text("b/c/d"), "contents")

    def test_a_hash_is_answered(self) -> None:
        self.assertEqual(self.put("a", "", X_Hash="md5").headers["X-Hash-MD5"], "d41d8cd98f00b204e9800998ecf8427e")

    def test_properties_that_can_be_set(self) -> None:
        self.put("a")
        tag = self.cloud.tag(self.path("a"))

        def change(inner: str) -> int:
            body = (f'<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop>{inner}</d:prop></d:set>'
                    "</d:propertyupdate>")
            answer = self.cloud.file("PROPPATCH", self.path("a"), body.encode())
            return answer.status if "200 OK" in answer.text else 0
        self.assertEqual(change("<oc:favorite>1</oc:favorite>"), 207)
        self.assertEqual((self.cloud.property(self.path("a"), "oc:favorite"), self.cloud.tag(self.path("a"))), ("1", tag))
        self.assertEqual(change("<d:lastmodified>1234567890</d:lastmodified>"), 207)
        self.assertEqual(self.cloud.property(self.path("a"), "d:getlastmodified"), "Fri, 13 Feb 2009 23:31:30 GMT")
        self.assertEqual(change("<d:other>1</d:other>"), 0)


class ReadingTests(Case):
    def test_parts(self) -> None:
        tag = self.put("a", "0123456789").tag

        def part(value: str, **headers: str) -> tuple[int, str]:
            answer = self.cloud.file("GET", self.path("a"), None, **{"Range": value} | headers)
            return answer.status, answer.text
        self.assertEqual(part("bytes=4-"), (206, "456789"))
        self.assertEqual(part("bytes=4-5"), (206, "45"))
        self.assertEqual(part("bytes=-3"), (206, "789"))
        self.assertEqual(part("bytes=4-", If_Range=tag), (206, "456789"))
        self.assertEqual(part("bytes=4-", If_Range='"none"'), (200, "0123456789"))
        self.assertEqual(part("bytes=10-")[0], 416)
        self.assertEqual(part("bytes=4-", If_Match='"none"')[0], 412)

    def test_what_is_known_already(self) -> None:
        tag = self.put("a").tag
        answer = self.cloud.file("GET", self.path("a"), If_None_Match=tag)
        self.assertEqual((answer.status, answer.body, answer.tag), (304, b"", tag))
        self.assertEqual(self.cloud.file("GET", self.path("a"), If_None_Match='"none"').status, 200)
        answer = self.cloud.file("HEAD", self.path("a"))
        self.assertEqual((answer.status, answer.headers["Content-Length"], answer.body), (200, "8", b""))

    def test_readers_see_whole_contents_only(self) -> None:
        versions = [bytes([65 + number]) * 3_000_000 for number in range(6)]
        self.cloud.file("PUT", self.path("a"), versions[0])

        def read(_: int) -> bool:
            return self.cloud.file("GET", self.path("a")).body in versions
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            writes = [pool.submit(self.cloud.file, "PUT", self.path("a"), version) for version in versions]
            self.assertTrue(all(pool.map(read, range(20))))
            self.assertEqual({write.result().status for write in writes}, {204})

    def test_a_write_that_breaks_off_changes_nothing(self) -> None:
        self.put("a", "old")
        tag = self.cloud.tag(self.here)
        with socket.create_connection(("127.0.0.1", self.cloud.port)) as connection:
            connection.sendall(
                f"PUT {FILES}/{self.path('a')} HTTP/1.1\r\nHost: x\r\nAuthorization: {basic()}\r\nContent-Length: 99\r\n\r\nnew"
                .encode())
        self.assertEqual((self.text("a"), self.cloud.tag(self.here)), ("old", tag))

    def test_listings(self) -> None:
        self.put("a")
        self.cloud.file("MKCOL", self.path("b"))
        self.put("b/c")
        names = ["d:resourcetype", "d:quota-available-bytes", "oc:size", "oc:data-fingerprint"]
        directory = {"resourcetype": "", "quota-available-bytes": "-3", "data-fingerprint": ""}
        self.assertEqual(self.cloud.listing(self.here, "1", *names), {
            self.here: {**directory, "size": "16"}, self.path("b"): {**directory, "size": "8"},
            self.path("a"): {"resourcetype": "", "size": "8", "data-fingerprint": ""}})
        self.assertEqual(list(self.cloud.listing(self.here, "0")), [self.here])
        self.assertEqual(set(self.cloud.listing(self.here, "infinity")), {self.here, *map(self.path, ("a", "b", "b/c"))})
        self.assertEqual(self.cloud.file("PROPFIND", self.path("none")).status, 404)
        self.assertEqual(self.cloud.file("PROPFIND", self.here, b"<broken").status, 400)

    def test_logins(self) -> None:
        answer = self.cloud.ask("PROPFIND", FILES, login=basic("wrong"))
        self.assertEqual(answer.status, 401)
        self.assertIn("Basic realm=", answer.headers["WWW-Authenticate"])
        self.assertEqual(self.cloud.ask("GET", "/remote.php/dav/files/somebody/").status, 404)


class WireTests(Case):
    def test_one_connection_serves_many_requests(self) -> None:
        with contextlib.closing(self.cloud.connection()) as connection:
            login = {"Authorization": basic()}
            connection.connect()
            first = connection.sock
            for number in range(5):
                # Of chunks, without a length.
                connection.request("PUT", f"{FILES}/{self.path('a')}", iter([b"con", b"tents"]), login)
                connection.getresponse().read()
                connection.request("PUT", f"{FILES}/{self.path('none/a')}", b"x" * 100_000, login)
                self.assertEqual(connection.getresponse().read().count(b"Conflict"), 1)
                connection.request("GET", f"{FILES}/{self.path('a')}", None, login)
                self.assertEqual(connection.getresponse().read(), b"contents", number)
            self.assertIs(connection.sock, first)

    def test_what_is_refused_at_once_leaves_the_connection_usable(self) -> None:
        with contextlib.closing(self.cloud.connection()) as connection:
            for login, status in ((basic("wrong"), 401), (basic(), 201)):
                connection.request("PUT", f"{FILES}/{self.path('a')}", b"x" * 300_000, {"Authorization": login})
                answer = connection.getresponse()
                self.assertEqual((answer.status, answer.will_close), (status, False))
                answer.read()

    def test_bodies_are_asked_for(self) -> None:
        with socket.create_connection(("127.0.0.1", self.cloud.port)) as connection:
            head = (f"PUT {FILES}/{self.path('a')} HTTP/1.1\r\nHost: x\r\nAuthorization: {basic()}\r\nContent-Length: 3\r\n"
                    "Expect: 100-continue\r\n\r\n")
            connection.sendall(head.encode())
            self.assertEqual(connection.recv(25), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(b"abc")
            self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 201 Created\r\n"))
        self.assertEqual(self.text("a"), "abc")

    def test_memory_does_not_grow_with_contents(self) -> None:
        size = 96 << 20
        answer = self.cloud.file("PUT", self.path("a"), (b"x" * (1 << 20) for _ in range(96)))
        self.assertEqual(answer.status, 201)
        with contextlib.closing(self.cloud.connection()) as connection:
            connection.request("GET", f"{FILES}/{self.path('a')}", None, {"Authorization": basic()})
            reply = connection.getresponse()
            got = 0
            while part := reply.read(1 << 20):
                got += len(part)
        self.assertEqual(got, size)
        lines = pathlib.Path(f"/proc/{self.cloud.process.pid}/status").read_text().splitlines()
        peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
        self.assertLess(peak, 70 << 10)

    def test_many_at_once(self) -> None:
        names = [f"{number}" for number in range(300)]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            self.assertEqual(set(pool.map(lambda name: self.put(name, name).status, names)), {201})
            self.assertEqual(list(pool.map(self.text, names)), names)
        self.assertEqual(len(self.cloud.listing(self.here)), 301)

    if shutil.which("litmus"):
        # Nothing depends on it: it is run where somebody has installed it.
        def test_litmus(self) -> None:
            with tempfile.TemporaryDirectory() as place:
                done = subprocess.run(
                    ["litmus", "-k", f"http://127.0.0.1:{self.cloud.port}{FILES}/{self.here}/", USER, PASSWORD], cwd=place,
                    check=False, env={**os.environ, "TESTS": "basic copymove http"}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
