"""Every quirk of the fake Nextcloud, what it counts, and logins."""
from __future__ import annotations

import base64
import contextlib
import email.utils
import http.client
import os
import socket
import time
import typing
import unittest
import urllib.parse

from case import Case
from nextcloud import FILES, PASSWORD, PATIENCE_SECONDS, USER, Answer, Nextcloud, basic


class QuirkTests(Case):
    def counted(self) -> dict[str, int]:
        found: dict[str, int] = self.cloud.control("GET", "requests")["methods"]
        return found

    def test_throttling(self) -> None:
        self.cloud.quirks(throttle={"status": 503, "after": 7, "method": "PUT", "count": 1})
        self.assertEqual(self.cloud.file("PROPFIND", self.here).status, 207)
        answer = self.put("a")
        self.assertEqual((answer.status, answer.headers["Retry-After"]), (503, "7"))
        self.assertEqual(self.put("a").status, 201)
        self.cloud.quirks(throttle={"after": 100, "date": True})
        answer = self.put("a")
        moment = email.utils.parsedate_to_datetime(str(answer.headers["Retry-After"]))
        self.assertEqual(answer.status, 429)
        self.assertGreater(moment.timestamp(), time.time())

    def test_weak_tags(self) -> None:
        tag = self.put("a").headers["ETag"]
        self.cloud.quirks(weak_tags="headers")
        self.assertEqual(self.cloud.file("HEAD", f"{self.here}/a").tag, f"W/{tag}")
        self.assertEqual(self.cloud.tag(f"{self.here}/a"), tag)
        answer = self.cloud.file("PUT", f"{self.here}/a", b"other", If_Match=str(tag))
        self.assertEqual(answer.status, 204)
        self.cloud.quirks(weak_tags=True)
        weak = self.cloud.tag(f"{self.here}/a")
        self.assertEqual((weak, self.cloud.file("HEAD", f"{self.here}/a").tag), (answer.tag, answer.tag))
        for tag in (weak, weak.removeprefix("W/")):
            self.assertEqual(self.cloud.file("PUT", f"{self.here}/a", b"more", If_Match=tag).status, 412)

    def test_late_requests(self) -> None:
        self.cloud.quirks(late={"method": "PUT", "count": 2})
        self.assertEqual(self.put("a").status, 504)
        self.assertEqual(self.cloud.file("HEAD", f"{self.here}/a").status, 200)
        self.cloud.quirks(late={"method": "PUT", "count": 1, "seconds": 0.3, "status": 502})
        self.assertEqual(self.put("b").status, 502)
        end = time.monotonic() + PATIENCE_SECONDS
        while self.cloud.file("HEAD", f"{self.here}/b").status != 200:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_proxies(self) -> None:
        self.cloud.quirks(body_limit=3)
        self.assertEqual(self.cloud.file("PUT", f"{self.here}/a", b"four").status, 413)
        self.assertEqual(self.cloud.file("PUT", f"{self.here}/a", b"abc").status, 201)
        self.cloud.quirks(body_limit=None, no_moves={"paths": True})
        path = urllib.parse.urlsplit(self.cloud.address(f"{self.here}/b")).path
        self.assertEqual(self.cloud.move(f"{self.here}/a", f"{self.here}/b").status, 502)
        self.assertEqual(self.cloud.file("MOVE", f"{self.here}/a", None, Destination=path).status, 201)
        self.cloud.quirks(no_moves=True)
        self.assertEqual(self.cloud.file("MOVE", f"{self.here}/b", None, Destination=path).status, 502)

    def test_checksums_of_its_own(self) -> None:
        self.cloud.file("PUT", f"{self.here}/a", b"abc")
        self.cloud.quirks(own_checksums=["MD5", "ADLER32"])
        told = "MD5:900150983cd24fb0d6963f7d28e17f72 ADLER32:024d0127"
        self.assertEqual(self.cloud.property(f"{self.here}/a", "oc:checksums"), told)
        self.assertEqual(self.cloud.file("GET", f"{self.here}/a").headers["OC-Checksum"], told)
        self.cloud.quirks(bare_answers=True, wrong_bit={"method": "GET", "count": 1})
        answer = self.cloud.file("GET", f"{self.here}/a")
        self.assertEqual((answer.headers["OC-Checksum"], answer.body), (None, b"acc"))
        self.assertEqual(self.cloud.file("GET", f"{self.here}/a").body, b"abc")

    def test_lies(self) -> None:
        tag = self.put("a").headers["ETag"]
        self.cloud.quirks(stale_checksums="MD5:00")
        self.assertEqual(self.cloud.property(f"{self.here}/a", "oc:checksums"), "MD5:00")
        self.cloud.quirks(lying={"method": "PUT", "count": 1, "status": 412, "headers": {"ETag": None, "X-Other": "1"}})
        answer = self.cloud.file("PUT", f"{self.here}/a", b"other")
        self.assertEqual((answer.status, answer.headers["ETag"], answer.headers["X-Other"]), (412, None, "1"))
        new = str(self.cloud.tag(f"{self.here}/a")).strip('"')
        self.assertNotEqual(new, str(tag).strip('"'))
        self.cloud.quirks(lying={"method": "PROPFIND", "replace": {new: "another"}})
        self.assertEqual(str(self.cloud.tag(f"{self.here}/a")).strip('"'), "another")

    def test_cut_contents(self) -> None:
        self.cloud.file("PUT", f"{self.here}/a", b"x")
        self.cloud.quirks(truncated_contents=True)
        # The last byte arrives as well, or nobody would ever have the whole.
        self.assertEqual(self.cloud.file("GET", f"{self.here}/a").body, b"x")

    def test_shares_of_something_else(self) -> None:
        self.put("a")
        self.cloud.quirks(other_share=True)
        body = urllib.parse.urlencode({"path": f"/{self.here}/a", "shareType": 3}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        made = self.cloud.ocs("POST", "apps/files_sharing/api/v1/shares", body, **headers)
        self.assertEqual(made.json["ocs"]["data"]["path"], "/")

    def test_maintenance(self) -> None:
        self.cloud.quirks(maintenance=True)
        answer = self.put("a")
        self.assertEqual((answer.status, answer.headers["X-Nextcloud-Maintenance-Mode"]), (503, "1"))
        self.assertTrue(self.cloud.ask("GET", "/status.php").json["maintenance"])

    def test_locked_failing_and_slow(self) -> None:
        self.put("a")
        self.cloud.quirks(locked={"path": f"{FILES}/{self.path('a')}"})
        self.assertEqual([self.put(name).status for name in "ab"], [423, 201])
        self.assertEqual(self.text("a"), "contents")
        self.cloud.quirks(locked=None, failing={"status": 502, "count": 1}, slow=0.2)
        began = time.monotonic()
        self.assertEqual([self.put("a").status, self.put("a").status], [502, 204])
        self.assertGreaterEqual(time.monotonic() - began, 0.4)

    def test_quota(self) -> None:
        self.cloud.quirks(quota=int(self.cloud.property("", "oc:size") or 0) + 10)
        self.assertEqual([self.put(name).status for name in "ab"], [201, 507])
        self.assertEqual(self.cloud.property(self.here, "d:quota-available-bytes"), "2")

    def test_lost_answers_and_requests(self) -> None:
        self.cloud.control("DELETE", "requests")
        self.cloud.quirks(lost_answer={"method": "PUT", "count": 1}, lost_request={"method": "DELETE", "count": 1})
        attempts: list[typing.Callable[[], Answer]] = [
            lambda: self.put("a"), lambda: self.cloud.file("DELETE", self.path("a"))]
        for attempt in attempts:
            with self.assertRaises((http.client.RemoteDisconnected, ConnectionResetError)):
                attempt()
            self.assertEqual(self.text("a"), "contents")
        self.assertEqual(self.cloud.file("DELETE", self.path("a")).status, 204)
        self.assertEqual(self.counted(), {"PUT": 1, "DELETE": 2, "GET": 2})
        self.assertEqual([status for _, _, status in self.cloud.control("GET", "requests")["requests"]], [0, 200, 0, 200, 204])

    def test_doubled_requests(self) -> None:
        self.cloud.quirks(doubled={"count": 3})
        self.assertEqual(self.put("a", "twice", If_None_Match="*").status, 412)
        self.assertEqual(self.cloud.move(self.path("a"), self.path("b")).status, 404)
        self.assertEqual(self.cloud.file("GET", self.path("b")).text, "twice")

    def test_a_restored_backup(self) -> None:
        self.cloud.quirks(fingerprint="restored")
        self.assertEqual(self.cloud.property("", "oc:data-fingerprint"), "restored")

    def test_read_only_directories(self) -> None:
        for name in ("one", "one/two"):
            self.cloud.file("MKCOL", self.path(name))
        self.put("one/two/a")
        self.cloud.quirks(read_only=[self.path("one")])
        self.assertEqual([self.put(name).status for name in ("one/two/a", "one/b", "c")], [403, 403, 201])
        for method in ("MKCOL", "DELETE", "PROPPATCH"):
            body = b'<d:propertyupdate xmlns:d="DAV:"/>' if method == "PROPPATCH" else None
            name = "one/b" if method == "MKCOL" else "one/two/a"
            self.assertEqual(self.cloud.file(method, self.path(name), body).status, 403)
        self.assertEqual(self.cloud.move(self.path("one/two/a"), self.path("d")).status, 403)
        self.assertEqual(self.cloud.move(self.path("c"), self.path("one/c")).status, 403)
        self.assertEqual(self.cloud.property(self.path("one/two"), "oc:permissions"), "RG")

    def test_shares_and_locks(self) -> None:
        self.cloud.file("MKCOL", self.path("one"))
        self.put("one/a")
        self.put("b")
        self.cloud.quirks(shares={self.path("one"): {"letters": "SRMG", "owner": "Ana"}},
                          locks={self.path("b"): {"by": "ben", "name": "Ben", "kind": 0}})
        self.assertEqual([self.put(name).status for name in ("one/a", "one/c", "b")], [403, 403, 423])
        self.assertEqual(self.cloud.file("DELETE", self.path("one/a")).status, 403)
        self.assertEqual(self.cloud.move(self.path("one/a"), self.path("d")).status, 403)
        told = [self.cloud.property(self.path("one/a"), name) for name in ("oc:permissions", "oc:owner-display-name")]
        self.assertEqual(told, ["SRMG", "Ana"])
        self.assertEqual(self.cloud.property(self.path("b"), "nc:lock-owner-displayname"), "Ben")
        self.cloud.quirks(shares={self.path("one"): {"letters": "SRMGDNVWCK", "owner": "Ana"}}, locks=None)
        self.assertEqual([self.put(name).status for name in ("one/a", "one/c", "b")], [204, 201, 204])
        self.assertEqual(self.cloud.property(self.path("one/a"), "oc:permissions"), "SRMGDNVW")

    def test_tags(self) -> None:
        self.cloud.quirks(no_tag_in_answers=True, coarse_tags=True)
        answer = self.put("a", X_OC_Mtime="1234567890")
        self.assertEqual((answer.headers["ETag"], answer.headers["OC-ETag"]), (None, None))
        tag = self.cloud.tag(self.path("a"))
        self.put("a", "CONTENTS", X_OC_Mtime="1234567890")
        self.assertEqual(self.cloud.tag(self.path("a")), tag)
        self.put("a", "CONTENTS", X_OC_Mtime="1234567891")
        self.assertNotEqual(self.cloud.tag(self.path("a")), tag)

    def test_names(self) -> None:
        self.cloud.quirks(folds_case=True, windows_names=True)
        self.assertEqual([self.put(name, name).status for name in ("a", "A", "con", "com1.x", "a:", "b.", "b ")],
                         [201, 204, 400, 400, 400, 400, 400])
        self.assertEqual(set(self.cloud.listing(self.here)), {self.here, self.path("a")})
        self.assertEqual(self.cloud.move(self.path("A"), self.path("A"), Overwrite="F").status, 201)
        self.assertEqual(os.listdir(self.cloud.files / self.here), ["A"])

    def test_listings(self) -> None:
        for number in range(20):
            self.put(f".{number}" if number < 5 else f"{number}")
        self.cloud.quirks(hides_dot_files=True)
        self.assertEqual(len(self.cloud.listing(self.here)), 16)
        self.assertEqual(self.cloud.file("HEAD", self.path(".1")).status, 200)
        self.cloud.quirks(truncated_listing="short")
        self.assertEqual(len(self.cloud.listing(self.here)), 9)
        self.cloud.quirks(truncated_listing="malformed")
        answer = self.cloud.file("PROPFIND", self.here, None, Depth="1")
        self.assertEqual((answer.status, answer.text.endswith("multistatus>\n")), (207, False))
        self.cloud.file("MKCOL", self.path("d"))
        self.put("d/deep")
        self.cloud.quirks(truncated_listing=None, no_infinity="shallow")
        self.assertNotIn(self.path("d/deep"), self.cloud.listing(self.here, "infinity"))
        self.cloud.quirks(truncated_listing=True, no_infinity=True)
        with self.assertRaises(http.client.IncompleteRead):
            self.cloud.file("PROPFIND", self.here, None, Depth="1")
        self.assertEqual(self.cloud.file("PROPFIND", self.here, None, Depth="infinity").status, 412)

    def test_file_drop(self) -> None:
        self.put("a")
        self.cloud.file("MKCOL", self.path(".own"))
        self.put(".own/b")
        self.cloud.quirks(file_drop=True)
        self.assertEqual(self.cloud.file("PROPFIND", self.here, None, Depth="1").status, 403)
        self.assertEqual(self.cloud.file("PROPFIND", self.path("a"), None, Depth="0").status, 207)
        self.assertEqual(self.cloud.file("GET", self.path("a")).status, 403)
        self.assertEqual(self.cloud.file("PROPFIND", self.path(".own"), None, Depth="1").status, 207)
        self.assertEqual(self.cloud.file("GET", self.path(".own/b")).status, 200)

    def test_truncated_contents(self) -> None:
        self.cloud.file("PUT", self.path("a"), bytes(1_000_000))
        self.put("b")
        self.cloud.quirks(truncated_contents=True)
        for name, half in (("a", bytes(500_000)), ("b", b"cont")):
            with self.assertRaises(http.client.IncompleteRead) as raised:
                self.cloud.file("GET", self.path(name))
            self.assertEqual(raised.exception.partial, half)

    def test_stalled_contents(self) -> None:
        self.cloud.file("PUT", self.path("a"), bytes(1_000_000))
        self.cloud.control("DELETE", "requests")
        self.cloud.quirks(stalled_contents={"bytes": 300_000, "path": f"{FILES}/{self.path('a')}"})
        with contextlib.closing(self.cloud.connection()) as connection:
            connection.request("GET", f"{FILES}/{self.path('a')}", headers={"Authorization": basic()})
            answer = connection.getresponse()
            self.assertEqual((answer.headers["Content-Length"], answer.read(300_000)), ("1000000", bytes(300_000)))
            assert connection.sock
            connection.sock.settimeout(0.2)
            with self.assertRaises(TimeoutError):
                answer.read(1)
        figures = self.cloud.control("GET", "requests")
        self.assertEqual((figures["received"], figures["sent"]), (0, 300_000))

    def test_parts_may_not_be_given(self) -> None:
        self.put("a", "0123456789")
        self.cloud.quirks(no_ranges=True)
        answer = self.cloud.file("GET", self.path("a"), None, Range="bytes=4-")
        self.assertEqual((answer.status, answer.text), (200, "0123456789"))

    def test_bytes_are_counted(self) -> None:
        self.cloud.control("DELETE", "requests")
        self.put("a", "0123456789")
        self.cloud.file("GET", self.path("a"), None, Range="bytes=4-")
        figures = self.cloud.control("GET", "requests")
        self.assertEqual((figures["received"], figures["sent"]), (10, 6))

    def test_some_may_be_let_through(self) -> None:
        self.cloud.quirks(failing={"method": "PUT", "skip": 2, "count": 1})
        self.assertEqual([self.put("a").status for _ in range(4)], [201, 204, 500, 204])

    def test_checksums_may_be_checked(self) -> None:
        self.assertEqual(self.put("a", OC_Checksum="SHA1:0").status, 201)
        self.cloud.quirks(checks_checksums=True)
        self.assertEqual(self.put("a", OC_Checksum="SHA1:0").status, 400)
        self.assertEqual(self.put("a", "", OC_Checksum="MD5:D41D8CD98F00B204E9800998ECF8427E").status, 204)

    def test_quirks_are_told(self) -> None:
        self.cloud.quirks(slow=0, locked={"count": 3, "method": "MKCOL"}, quota=None)
        self.cloud.file("MKCOL", self.path("a"))
        self.assertEqual(self.cloud.control("GET", "quirks"), {"slow": 0, "locked": {"count": 2, "method": "MKCOL"}})
        self.assertEqual(self.cloud.ask("POST", "/test/quirks", b'{"none": true}').status, 400)
        self.assertEqual(self.cloud.control("DELETE", "quirks"), {})


class AccountTests(Case):
    def test_login_in_the_browser(self) -> None:
        begun = self.cloud.ask("POST", "/index.php/login/v2", login="none").json
        place, token = urllib.parse.urlsplit(begun["poll"]["endpoint"]).path, begun["poll"]["token"]

        def poll() -> tuple[int, dict[str, str]]:
            answer = self.cloud.ask("POST", place, f"token={token}".encode(), login="none")
            return answer.status, answer.json
        self.assertEqual(poll()[0], 404)
        flow = urllib.parse.urlsplit(begun["login"]).path
        self.assertEqual(self.cloud.ask("GET", flow, login="none").status, 200)
        self.cloud.control("POST", "grant", {"flow": flow.rpartition("/")[2]})
        status, login = poll()
        self.assertEqual((status, login["server"], login["loginName"]), (200, f"http://127.0.0.1:{self.cloud.port}", USER))
        self.assertEqual(poll()[0], 404)
        mine = basic(login["appPassword"])
        self.assertEqual(self.cloud.ask("PROPFIND", FILES, login=mine).status, 207)
        headers = {"OCS-APIRequest": "true"}
        revoke = "/ocs/v2.php/core/apppassword"
        self.assertEqual(self.cloud.ask("DELETE", revoke, None, headers).status, 403)
        self.assertEqual(self.cloud.ask("DELETE", revoke, None, headers, mine).status, 200)
        self.assertEqual(self.cloud.ask("PROPFIND", FILES, login=mine).status, 401)

    def test_app_passwords_may_be_made_and_taken_back(self) -> None:
        made = self.cloud.ocs("GET", "core/getapppassword").json["ocs"]["data"]["apppassword"]
        self.cloud.end()
        self.cloud.start()
        self.assertEqual(self.cloud.ask("PROPFIND", FILES, login=basic(made)).status, 207)
        self.cloud.control("POST", "revoke")
        self.assertEqual(self.cloud.ask("PROPFIND", FILES, login=basic(made)).status, 401)
        self.cloud.quirks(revoked=True)
        self.assertEqual(self.cloud.ask("PROPFIND", FILES).status, 401)

    def test_what_it_says_of_itself(self) -> None:
        status = self.cloud.ask("GET", "/status.php", login="none").json
        self.assertEqual((status["installed"], status["productname"]), (True, "Nextcloud"))
        self.assertEqual(self.cloud.ask("GET", "/ocs/v2.php/cloud/user").status, 412)
        self.assertEqual(self.cloud.ocs("GET", "cloud/user").json["ocs"]["data"]["id"], USER)
        self.assertEqual(self.cloud.ocs("GET", "none").status, 404)
        xml = self.cloud.ask("GET", "/ocs/v1.php/cloud/capabilities", None, {"OCS-APIRequest": "true"})
        self.assertIn("<statuscode>100</statuscode>", xml.text)
        self.assertIn("<chunking>1.0</chunking>", xml.text)

        def capabilities() -> dict[str, dict[str, str]]:
            found: dict[str, dict[str, str]] = self.cloud.ocs("GET", "cloud/capabilities").json["ocs"]["data"]["capabilities"]
            return found
        self.assertEqual(capabilities()["dav"], {"chunking": "1.0", "bulkupload": "1.0"})
        self.assertNotIn("notify_push", capabilities())
        self.cloud.quirks(notify_push=True, no_bulk=True)
        self.assertEqual(capabilities()["dav"], {"chunking": "1.0"})
        self.assertIn("notify_push", capabilities())
        self.cloud.quirks(version="30.0.1")
        self.assertEqual(self.cloud.ocs("GET", "cloud/capabilities").json["ocs"]["data"]["version"]["string"], "30.0.1")

    def test_share_links(self) -> None:
        self.put("a")
        shares, path = "apps/files_sharing/api/v1/shares", "/" + self.path("a")

        def ask(method: str, place: str = "", **arguments: str) -> tuple[int, list[dict[str, str]]]:
            answer = self.cloud.ocs(method, f"{shares}{place}", urllib.parse.urlencode(arguments).encode() or None)
            data = answer.json["ocs"]["data"]
            return answer.status, data if isinstance(data, list) else [data]
        self.assertEqual(ask("POST", shareType="3", path="/none")[0], 404)
        self.assertEqual(ask("POST", shareType="9", path=path)[0], 400)
        status, [made] = ask("POST", shareType="3", path=path)
        self.assertEqual((status, made["path"], made["url"].rpartition("/")[2]), (200, path, made["token"]))
        self.assertEqual(self.cloud.property(self.path("a"), "oc:share-types"), "3")
        self.assertEqual(self.cloud.ask("GET", f"/s/{made['token']}", login="none").status, 200)
        self.assertEqual(self.cloud.ask("GET", f"/s/{made['token']}/download", login="none").text, "contents")
        self.cloud.move(self.path("a"), self.path("b"))
        moved = {**made, "path": f"/{self.path('b')}", "file_target": f"/{self.path('b')}"}
        self.assertEqual(ask("GET", f"?path=/{self.path('b')}"), (200, [moved]))
        self.assertEqual(ask("GET", f"/{made['id']}"), (200, [moved]))
        self.assertEqual(ask("DELETE", f"/{made['id']}"), (200, []))
        self.assertEqual(ask("GET", f"/{made['id']}")[0], 404)
        status, [made] = ask("POST", shareType="3", path=f"/{self.path('b')}")
        self.cloud.file("DELETE", self.path("b"))
        self.assertEqual(ask("GET", f"/{made['id']}")[0], 404)
        self.assertEqual(self.cloud.ask("GET", f"/s/{made['token']}").status, 404)
        self.put("a")
        self.cloud.quirks(share_passwords=True)
        self.assertEqual(ask("POST", shareType="3", path=path)[0], 403)
        self.assertEqual(ask("POST", shareType="3", path=path, password="short")[0], 400)
        self.assertEqual(ask("POST", shareType="3", path=path, password="long enough")[0], 200)
        self.cloud.quirks(share_passwords=False, no_share_links=True)
        self.assertEqual(ask("POST", shareType="3", path=path)[0], 404)

    def test_shares_with_people(self) -> None:
        self.put("a")
        shares, path = "apps/files_sharing/api/v1/shares", "/" + self.path("a")
        self.cloud.quirks(people={"ana": {"name": "Ana Lopez", "mail": "ana@x.org"}, "crew": {"name": "Crew", "group": True}})

        def found(text: str) -> tuple[list[str], list[str]]:
            data = self.cloud.ocs("GET", f"apps/files_sharing/api/v1/sharees?search={text}&itemType=file").json["ocs"]["data"]
            exact, others = ([one["value"]["shareWith"] for kind in ("users", "groups") for one in lists[kind]]
                             for lists in (data["exact"], data))
            return exact, others

        self.assertEqual((found("lop"), found("crew"), found("x")), (([], ["ana"]), (["crew"], []), ([], [])))

        def share(**arguments: str) -> typing.Any:
            body = urllib.parse.urlencode({"path": path} | arguments).encode()
            return self.cloud.ocs("POST", shares, body).json["ocs"]
        self.assertEqual(share(shareType="0", shareWith="nobody")["meta"]["statuscode"], 404)
        self.assertEqual(share(shareType="0", shareWith="crew")["meta"]["statuscode"], 404)
        made = share(shareType="0", shareWith="ana", permissions="3", expireDate="2037-01-02")["data"]
        self.assertEqual(
            (made["share_with"], made["share_with_displayname"], made["permissions"], made["expiration"], "url" in made),
            ("ana", "Ana Lopez", 3, "2037-01-02 00:00:00", False))
        self.assertEqual(share(shareType="0", shareWith="ana")["meta"]["statuscode"], 403)
        self.assertEqual(share(shareType="1", shareWith="crew")["meta"]["statuscode"], 200)
        self.cloud.quirks(share_days=7)
        self.assertEqual(share(shareType="3", expireDate="2999-01-01")["meta"]["statuscode"], 404)
        self.assertTrue(share(shareType="3")["data"]["expiration"])

    def test_files_are_locked(self) -> None:
        self.put("a")
        place = f"apps/files_lock/lock/{self.cloud.property(self.path('a'), 'oc:fileid')}"
        self.assertEqual(self.cloud.ocs("PUT", place).status, 404)
        self.cloud.quirks(file_locks=True)
        capabilities = self.cloud.ocs("GET", "cloud/capabilities").json["ocs"]["data"]["capabilities"]
        self.assertEqual(capabilities["files"]["locking"], "1.0")
        self.assertEqual(self.cloud.ocs("DELETE", place).status, 500)
        self.assertEqual(self.cloud.ocs("PUT", place).status, 200)
        self.assertEqual(self.cloud.property(self.path("a"), "nc:lock-owner"), USER)
        self.assertEqual(self.cloud.ocs("DELETE", place).status, 200)
        self.cloud.quirks(locks={self.path("a"): {"by": "ana", "name": "Ana", "kind": 0}})
        self.assertEqual(self.cloud.ocs("PUT", place).status, 500)

    def test_files_have_pages(self) -> None:
        self.put("a<b")
        number = self.cloud.property(self.path("a<b"), "oc:fileid")
        found, directory = self.cloud.ask("GET", f"/index.php/f/{number}"), self.path("").rstrip("/").rpartition("/")[2]
        self.assertEqual((found.status, found.headers["Location"]), (303, f"/apps/files/files/{number}?dir=%2F{directory}"))
        self.assertEqual(self.cloud.ask("GET", f"/apps/files/files/{number}?dir=%2F").text, "<title>a&lt;b</title>")
        self.assertEqual(self.cloud.ask("GET", f"/f/{number}", login="none").status, 401)
        self.assertEqual(self.cloud.ask("GET", "/f/999999").status, 404)

    def test_changes_are_pushed(self) -> None:
        self.cloud.quirks(notify_push=True)
        with Listener(self.cloud) as listener:
            listener.send(USER, "wrong")
            self.assertTrue(listener.receive().startswith("err"))
        with Listener(self.cloud) as listener:
            listener.send(USER, PASSWORD)
            self.assertEqual(listener.receive(), "authenticated")
            self.put("a")
            self.assertEqual(listener.receive(), "notify_file")
        granted = self.cloud.ask("POST", "/apps/notify_push/pre_auth").text
        with Listener(self.cloud) as listener:
            listener.send("", granted, "listen notify_file_id")
            self.assertEqual(listener.receive(), "authenticated")
            # What was sent before is read when this is answered.
            listener.ping()
            self.put("a")
            number = self.cloud.property(self.path("a"), "oc:fileid")
            self.assertEqual(listener.receive(), f"notify_file_id [{number}]")


class Listener:
    """A client that is told of changes."""

    def __init__(self, cloud: Nextcloud) -> None:
        self.connection = socket.create_connection(("127.0.0.1", cloud.port), PATIENCE_SECONDS)
        self.stream = self.connection.makefile("rb")
        key = base64.b64encode(bytes(16)).decode()
        self.connection.sendall(
            f"GET /push/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode())
        assert self.stream.readline().startswith(b"HTTP/1.1 101 ")
        while self.stream.readline() != b"\r\n":
            pass

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()
        self.connection.close()

    def send(self, *texts: str, kind: int = 1) -> None:
        mask = b"mask"
        for text in texts:
            masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(text.encode()))
            self.connection.sendall(bytes([0x80 | kind, 0x80 | len(masked)]) + mask + masked)

    def receive(self) -> str:
        _, size = self.stream.read(2)
        return self.stream.read(size).decode()

    def ping(self) -> None:
        self.send("ping", kind=9)
        assert self.receive() == "ping"


class StartTests(unittest.TestCase):
    def test_quirks_and_a_log_may_be_given_at_the_start(self) -> None:
        cloud = Nextcloud("--quirk", "quota=100", "--quirk", "maintenance", "--log", "/dev/stderr")
        self.addCleanup(cloud.close)
        self.assertEqual(cloud.control("GET", "quirks"), {"quota": 100, "maintenance": True})


if __name__ == "__main__":
    unittest.main()
