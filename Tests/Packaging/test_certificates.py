"""Folders that are synced with an Apache whose certificate a company signed itself, and which may want one of the person's."""
import os
import pathlib
import shutil
import subprocess
import unittest

from servers import COLLECTION, LIBRARY, PATIENCE_SECONDS, Server, until
from test_servers import DONE, FAILED, Computer, reason_to_skip

OPENSSL = "/usr/bin/openssl"


class Company(Server):
    """An Apache with TLS. Everybody may come in who has the certificates for it."""

    def __init__(self, wants_certificate: bool) -> None:
        self.wants_certificate = wants_certificate
        super().__init__("apache", None)

    def _openssl(self, *arguments: str) -> None:
        subprocess.run([OPENSSL, *arguments], cwd=self.root, check=True, capture_output=True, timeout=PATIENCE_SECONDS)

    def _certificates(self) -> None:
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        self._openssl(
            "req", "-x509", *curve, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/O=Acme Corp/CN=ca")
        (self.root / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
        for name in ("server", "eva"):
            self._openssl("req", "-new", *curve, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
            self._openssl(
                "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
                "-extfile", "names", "-out", f"{name}.pem")

    def _apache(self) -> list[str]:
        if not (self.root / "ca.pem").exists():
            self._certificates()
        modules = "\n".join(f"LoadModule {name}_module {LIBRARY}/mod_{name}.so" for name in (
            "mpm_event", "authz_core", "dav", "dav_fs", "dav_lock", "ssl", "socache_shmcb"))
        wanted = f"SSLVerifyClient require\nSSLCACertificateFile {self.root}/ca.pem" if self.wants_certificate else ""
        settings = self._with_settings("httpd.conf", f"""
            {modules}
            ServerName localhost
            Listen 127.0.0.1:{self.port}
            PidFile {self.root}/pid
            ErrorLog {self.root}/log
            DocumentRoot {self.root}/files
            DavLockDB {self.root}/locks
            SSLEngine on
            SSLCertificateFile {self.root}/server.pem
            SSLCertificateKeyFile {self.root}/server.key
            {wanted}
            {"User www-data" if os.geteuid() == 0 else ""}
            {"Group www-data" if os.geteuid() == 0 else ""}
            <Directory {self.root}/files>
              Dav On
              Require all granted
            </Directory>
            """)
        return [self._program(), "-d", str(self.root), "-f", settings, "-DFOREGROUND"]

    def file(self, name: str) -> pathlib.Path:
        return self.root / "files" / COLLECTION / name


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


if __name__ == "__main__":
    unittest.main()
