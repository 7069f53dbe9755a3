"""A folder on a server that only the desktop's proxy leads to."""
import os
import shutil
import unittest

from company import OPENSSL, Company
from proxies import Proxy, ProxyPortal
from servers import COLLECTION, until
from test_servers import DONE, FAILED, Computer, reason_to_skip

# Nobody knows it but the proxy.
NAME = "cloud.acme.example"


@unittest.skipIf(reason_to_skip(), reason_to_skip() or "")
@unittest.skipUnless(shutil.which("apache2") and os.access(OPENSSL, os.X_OK), "needs Apache and openssl")
class ProxyTests(unittest.TestCase):
    def setUp(self) -> None:
        self.computer = Computer()
        self.addCleanup(self.computer.close)
        self.server = Company(wants_certificate=False, name=NAME)
        self.addCleanup(self.server.close)
        self.address = f"https://{NAME}:{self.server.port}/{COLLECTION}"
        (self.computer.folder / "here.txt").write_text("from here\n")

    def proxy(self) -> Proxy:
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        return proxy

    def portal(self, *answer: str) -> ProxyPortal:
        portal = ProxyPortal(self.computer.session.address, list(answer))
        self.addCleanup(portal.close)
        return portal

    def add(self) -> "tuple[int, str]":
        done = self.computer.try_roundel(
            "add", self.computer.folder, self.address, "--wait", "--authority", str(self.server.root / "ca.pem"))
        return done.returncode, done.stderr

    def test_the_desktops_proxy_leads_to_the_server_and_another_one_after_it(self) -> None:
        first = self.proxy()
        portal = self.portal(first.address)
        status, words = self.add()
        self.assertEqual(status, DONE, words)
        self.assertEqual(self.server.file("here.txt").read_text(), "from here\n")
        self.assertEqual(set(first.requests), {f"CONNECT {NAME}:{self.server.port} HTTP/1.1"})
        # The desktop is not told which files there are.
        self.assertEqual(set(portal.asked), {f"https://{NAME}:{self.server.port}/"})
        # The person goes elsewhere: the old proxy is out of reach, and the desktop names another one.
        second = self.proxy()
        portal.answer = [second.address]
        first.close()
        (self.computer.folder / "later.txt").write_text("later\n")
        until("the other proxy to be used", lambda: self.computer.try_roundel(
            "sync", self.computer.folder, "--wait").returncode == DONE)
        self.assertEqual(self.server.file("later.txt").read_text(), "later\n")
        self.assertTrue(second.requests)

    def test_a_failure_names_the_proxy(self) -> None:
        gone = self.proxy()
        gone.close()
        portal = self.portal(gone.address)
        status, words = self.add()
        self.assertEqual(status, FAILED)
        self.assertIn(f"cannot be reached through the proxy {gone.address}", words)
        portal.answer = ["socks4://me:secret@proxy.acme.example:1080"]
        words = self.add()[1]
        self.assertIn("the proxy socks4://proxy.acme.example:1080, which Roundel cannot use", words)
        self.assertNotIn("secret", words)

    def test_without_a_portal_there_is_no_proxy(self) -> None:
        status, words = self.add()
        self.assertEqual(status, FAILED)
        self.assertIn(f"There is no server named {NAME}", words)


if __name__ == "__main__":
    unittest.main()
