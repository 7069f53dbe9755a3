"""The window's assistant asks for what a company's server needs before it talks to it: the file of its authority, then the
person's certificate, and the passphrase of its key."""
import secrets
import subprocess

from waiting import PROGRAM_SECONDS, Failure, wait_for
from window_add_scenario import ADDRESS, PROGRAM, WindowAddScenario

CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


class WindowCertificatesScenario(WindowAddScenario):
    def run(self) -> None:
        (self.served / self.collection).mkdir(parents=True)
        self.keys = self.desktop.home / "keys"
        self.keys.mkdir()
        self.words = secrets.token_hex(8)
        self.make_keys()
        self.start_server()
        self.start_keyring()
        self.desktop.spawn("window", [PROGRAM], G_DEBUG="fatal-criticals")
        self.window.click("push button", "Add a Folder…")
        self.window.wait_for("text", ADDRESS)
        self.screen.type(f"{self.address}/{self.collection}")
        self.screen.keys("Return")
        self.gives_the_authority()
        self.gives_the_certificate()
        self.gives_the_passphrase()
        self.adds_the_folder()
        self.end_server()

    def openssl(self, *arguments: str, typed: str | None = None) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.keys, input=typed, text=True, check=True, capture_output=True,
                       timeout=PROGRAM_SECONDS)

    def make_keys(self) -> None:
        self.openssl("req", "-x509", *CURVE, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/O=Acme Corp/CN=ca")
        (self.keys / "names").write_text("subjectAltName=IP:127.0.0.1\n")
        for name in ("server", "eva"):
            self.openssl("req", "-new", *CURVE, "-keyout", f"{name}.plain", "-out", f"{name}.csr", "-subj", f"/CN={name}")
            self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                         "-days", "2", "-extfile", "names", "-out", f"{name}.pem")
        self.openssl("pkcs8", "-topk8", "-in", "eva.plain", "-passout", "stdin", "-out", "eva.key", typed=f"{self.words}\n")

    def start_server(self) -> None:
        """One that speaks to nobody without a certificate of the company's."""
        self.server = self.desktop.spawn("server", [
            "rclone", "serve", "webdav", str(self.served), "--addr", self.address, "--cert", str(self.keys / "server.pem"),
            "--key", str(self.keys / "server.plain"), "--client-ca", str(self.keys / "ca.pem"), "--config",
            str(self.desktop.work / "no-remotes")])
        wait_for("the server to answer", self.server_answers)

    def choose(self, title: str, name: str) -> None:
        """Opens GTK's dialog by the button that has the keyboard, and types the path of a file into it."""
        self.screen.wait_until_still()
        self.screen.keys("space")
        window = wait_for(f"a dialog “{title}”", lambda: self.screen.windows_named(title))[0]
        self.screen.activate(window)
        self.screen.wait_until_still(0.5)
        self.screen.keys("slash")
        self.screen.wait_until_still()
        self.screen.type(str(self.keys / name).removeprefix("/"))
        self.screen.wait_until_still(0.6)
        self.screen.keys("Return")
        wait_for(f"the end of the dialog “{title}”", lambda: not self.screen.windows_named(title))
        self.screen.wait_until_still()

    def gives_the_authority(self) -> None:
        self.window.wait_for("label", "This Computer Does Not Know the Server")
        self.window.wait_for("label", lambda text: "is signed by “Acme Corp”" in text)
        self.desktop.shoot("authority")
        self.choose("Certificate Authority", "ca.pem")
        self.desktop.shoot("authority-chosen")
        # Nothing is left to choose, so the keyboard is on “Next”.
        self.screen.keys("space")

    def gives_the_certificate(self) -> None:
        self.window.wait_for("label", "The Server Wants Your Certificate")
        self.choose("Your Certificate", "eva.pem")
        self.choose("Key of Your Certificate", "eva.key")
        self.desktop.shoot("certificate")
        self.window.click("push button", "Next")

    def gives_the_passphrase(self) -> None:
        self.window.wait_for("label", "The Key Has a Passphrase")
        self.screen.wait_until_still()
        self.screen.type("wrong")
        self.screen.keys("Return")
        self.window.wait_for("label", lambda text: "“~/keys/eva.key” has another passphrase" in text)
        self.desktop.shoot("passphrase")
        self.screen.keys("ctrl+a")
        self.screen.type(self.words)
        self.screen.keys("Return")

    def adds_the_folder(self) -> None:
        self.window.wait_for("label", f"~/{self.collection}")
        self.window.click("push button", "Next")
        self.window.wait_for("label", lambda text: "Nothing is deleted." in text)
        self.window.click("push button", "Add Folder")
        self.window.wait_for("list item", lambda name: name.startswith("cloud, Up to date"))
        folder = self.desktop.home / self.collection
        (folder / "note.txt").write_text("a note\n")
        self.roundel("sync", str(folder), "--wait")
        if (self.served / self.collection / "note.txt").read_text() != "a note\n":
            raise Failure("the note did not reach the server")
        self.window.wait_for("list item", lambda name: name.startswith("cloud, Up to date"))
        self.desktop.shoot("added")
