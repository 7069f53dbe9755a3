"""The interface files state what every member of the contract has in common, and document each argument."""
import pathlib
import re
import unittest
import xml.etree.ElementTree

INTERFACES = pathlib.Path(__file__).resolve().parents[2] / "dbus" / "interfaces"
NAMES = [
    "org.roundel.Marks1",
    "org.roundel.Provider1",
    "org.roundel.Roundel1.Engine.Accounts",
    "org.roundel.Roundel1.Engine.Conflicts",
    "org.roundel.Roundel1.Engine.Contents",
    "org.roundel.Roundel1.Engine.Folders",
    "org.roundel.Roundel1.Engine.Network",
    "org.roundel.Roundel1.Engine.Remotes",
    "org.roundel.Roundel1.Engine.Shares",
    "org.roundel.Roundel1.Engine.Trash",
    "org.roundel.Roundel1.Engine.Verification",
    "org.roundel.Roundel1.Host",
    "org.roundel.Roundel1.Providers",
    "org.roundel.Roundel1.Registry",
]


def interface(path: pathlib.Path) -> xml.etree.ElementTree.Element:
    root = xml.etree.ElementTree.parse(path).getroot()
    (found,) = root.findall("interface")
    return found


def comments(path: pathlib.Path) -> dict[str, str]:
    """The documentation of an interface and of its members, by name."""
    found = {}
    for text in re.findall(r"<!--(.*?)-->", path.read_text(), re.DOTALL):
        name, _, rest = text.strip().partition(":")
        found[name] = rest
    return found


def arguments(member: xml.etree.ElementTree.Element, direction: str) -> list[xml.etree.ElementTree.Element]:
    default = "in" if member.tag == "method" else "out"
    return [arg for arg in member.findall("arg") if arg.get("direction", default) == direction]


class InterfaceTests(unittest.TestCase):
    def test_there_is_one_file_for_each_interface(self) -> None:
        self.assertEqual(sorted(path.stem for path in INTERFACES.iterdir()), NAMES)
        for name in NAMES:
            self.assertEqual(interface(INTERFACES / f"{name}.xml").get("name"), name)

    def test_every_interface_has_a_version(self) -> None:
        for name in NAMES:
            with self.subTest(interface=name):
                found = [member for member in interface(INTERFACES / f"{name}.xml") if member.get("name") == "Version"]
                self.assertEqual([(member.tag, member.get("type"), member.get("access")) for member in found],
                                 [("property", "u", "read")])

    def test_the_bundled_engine_announces_every_interface_of_an_engine(self) -> None:
        manifest = (INTERFACES.parent / "providers" / "roundel.provider").read_text()
        services = dict(line.split("=", 1) for line in manifest.splitlines() if "=" in line)["Services"]
        self.assertEqual(sorted(services.split(";")[:-1]), [name for name in NAMES if ".Engine." in name])

    def test_every_method_reply_and_signal_ends_in_a_dictionary(self) -> None:
        """So that a later version can add to it (F14)."""
        for name in NAMES:
            for member in interface(INTERFACES / f"{name}.xml"):
                if member.tag not in ("method", "signal"):
                    continue
                with self.subTest(interface=name, member=member.get("name")):
                    last_out = arguments(member, "out")[-1]
                    self.assertEqual((last_out.get("type"), last_out.get("name")), ("a{sv}", "extra"))
                    if member.tag == "method":
                        last_in = arguments(member, "in")[-1]
                        self.assertEqual((last_in.get("type"), last_in.get("name")), ("a{sv}", "options"))

    def test_every_member_and_every_argument_is_documented(self) -> None:
        for name in NAMES:
            path = INTERFACES / f"{name}.xml"
            documented = comments(path)
            self.assertIn("@short_description:", documented[name])
            for member in interface(path):
                with self.subTest(interface=name, member=member.get("name")):
                    text = documented[member.get("name", "")]
                    described = re.findall(r"^\s*@(\w+): +\S", text, re.MULTILINE)
                    self.assertEqual(described, [arg.get("name") for arg in member.findall("arg")])

    def test_members_and_arguments_are_named_as_the_bus_does(self) -> None:
        for name in NAMES:
            for member in interface(INTERFACES / f"{name}.xml"):
                self.assertRegex(member.get("name", ""), r"^[A-Z][A-Za-z]+$")
                for arg in member.findall("arg"):
                    self.assertRegex(arg.get("name", ""), r"^[a-z]+(_[a-z]+)*$")
                    self.assertTrue(arg.get("type"))


if __name__ == "__main__":
    unittest.main()
