"""Folders that are synced with an Apache whose certificate a company signed itself, and which may want one of the person's."""
import os
import secrets
import shutil
import subprocess
import unittest

from company import OPENSSL, Company
from servers import COLLECTION, PATIENCE_SECONDS, until
from terminal import Terminal
from test_servers import DONE, FAILED, Computer, reason_to_skip


@unittest.skipIf(reason_to_skip(), reason_to_skip() or "")
@unittest.skipUnless(shutil.which("apache2") and os.access(OPENSSL, os.X_OK), "needs Apache and openssl")
class CertificateTests(unittest.TestCase):
    def setUp(self) -> None:
        self.computer = Computer()
        self.addCleanup(self.computer.close)

    def server(self, wants_certificate: bool) -> Company:
        server = Company(wants_certificate)
        self.addCleanup(server.close)
        return server

    def add(self, server: Company, *options: str) -> "subprocess.CompletedProcess[str]":
        (self.computer.folder / "here.txt").write_text("from here\n")
        address = f"127.0.0.1:{server.port}/{COLLECTION}"
        return self.computer.try_roundel("add", self.computer.folder, address, "--wait", *options)

    def test_a_companys_certificate_authority_is_asked_for_and_taken(self) -> None:
        server = self.server(wants_certificate=False)
        refused = self.add(server)
        self.assertEqual(refused.returncode, FAILED)
        self.assertIn("is signed by “Acme Corp”", refused.stderr)
        self.assertIn("--authority FILE", refused.stderr)
        nothing = self.add(server, "--authority", str(server.root / "server.key"))
        self.assertIn("There is no certificate in", nothing.stderr)
        done = self.add(server, "--authority", str(server.root / "ca.pem"))
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(server.file("here.txt").read_text(), "from here\n")
        # It is known to the next worker too, and to no other server.
        worker = self.computer.worker()
        os.kill(int(worker.name), 15)
        until("the end of the worker", lambda: not worker.exists())
        (self.computer.folder / "later.txt").write_text("later\n")
        self.computer.sync()
        self.assertEqual(server.file("later.txt").read_text(), "later\n")
        self.assertIn("is signed by “Acme Corp”", self.add(self.server(wants_certificate=False)).stderr)

    def test_a_certificate_of_the_persons_is_asked_for_and_shown(self) -> None:
        server = self.server(wants_certificate=True)
        authority = ("--authority", str(server.root / "ca.pem"))
        refused = self.add(server, *authority)
        self.assertEqual(refused.returncode, FAILED)
        self.assertIn("wants a certificate of yours", refused.stderr)
        self.assertIn("roundel add --certificate FILE --key FILE", refused.stderr)
        own = ("--certificate", str(server.root / "eva.pem"), "--key", str(server.root / "eva.key"))
        done = self.add(server, *authority, *own)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(server.file("here.txt").read_text(), "from here\n")

    def test_the_passphrase_of_a_key_is_asked_for_and_kept_in_the_keyring_alone(self) -> None:
        server = self.server(wants_certificate=True)
        (self.computer.folder / "here.txt").write_text("from here\n")
        words = secrets.token_hex(12)
        locked = server.root / "locked.key"
        subprocess.run(
            [OPENSSL, "pkcs8", "-topk8", "-in", str(server.root / "eva.key"), "-passout", "stdin", "-out", str(locked)],
            input=f"{words}\n", text=True, check=True, capture_output=True, timeout=PATIENCE_SECONDS)
        options = ("--authority", str(server.root / "ca.pem"), "--certificate", str(server.root / "eva.pem"),
                   "--key", str(locked))
        refused = self.add(server, *options)
        self.assertEqual(refused.returncode, FAILED)
        self.assertIn("has a passphrase", refused.stderr)
        self.assertIn("on a terminal", refused.stderr)
        address = f"127.0.0.1:{server.port}/{COLLECTION}"
        status, shown = Terminal(
            ["roundel", "add", str(self.computer.folder), address, "--wait", *options],
            self.computer.session.environment).answer("Passphrase of the key in", ["wrong", words])
        self.assertEqual(status, DONE, shown)
        self.assertIn("another passphrase", shown)
        # What is typed is not shown.
        self.assertNotIn(words, shown)
        self.assertNotIn("wrong", shown.replace("another passphrase", ""))
        self.assertEqual(server.file("here.txt").read_text(), "from here\n")
        self.assertEqual(self.computer.places_with([words.encode()]), [])
        # The next worker has it from the keyring.
        worker = self.computer.worker()
        os.kill(int(worker.name), 15)
        until("the end of the worker", lambda: not worker.exists())
        (self.computer.folder / "later.txt").write_text("later\n")
        self.computer.sync()
        self.assertEqual(server.file("later.txt").read_text(), "later\n")


if __name__ == "__main__":
    unittest.main()
