"""A company's server: an Apache whose certificate the company signed itself, and which may want one of the person's."""
import os
import pathlib
import subprocess

from servers import COLLECTION, LIBRARY, PATIENCE_SECONDS, Server

OPENSSL = "/usr/bin/openssl"


class Company(Server):
    """An Apache with TLS. Everybody may come in who has the certificates for it."""

    collection = COLLECTION

    def __init__(self, wants_certificate: bool, name: str = "localhost") -> None:
        self.wants_certificate = wants_certificate
        # What it is called besides its number.
        self.name = name
        super().__init__("apache", None)

    def _openssl(self, *arguments: str) -> None:
        subprocess.run([OPENSSL, *arguments], cwd=self.root, check=True, capture_output=True, timeout=PATIENCE_SECONDS)

    def _certificates(self) -> None:
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        self._openssl(
            "req", "-x509", *curve, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/O=Acme Corp/CN=ca")
        (self.root / "names").write_text(f"subjectAltName=IP:127.0.0.1,DNS:{self.name}\n")
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
