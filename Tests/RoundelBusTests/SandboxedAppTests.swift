import Testing

@testable import RoundelBus

@Suite("Which app a program in a sandbox is of")
struct SandboxedAppTests {
    @Test(
        "Flatpak's word is the name in the group Application, and no other",
        arguments: [
            ("[Application]\nname=org.example.Cloud\nruntime=x\n", "flatpak:org.example.Cloud"),
            (
                "[Context]\nname=org.example.Other\n[Application]\nruntime=x\nname=org.example.My_App-2\n[Instance]\n",
                "flatpak:org.example.My_App-2"
            ),
            ("[Runtime]\nname=org.freedesktop.Platform\n", nil), ("name=org.example.Cloud\n", nil), ("", nil),
            ("[Application]\nname=Cloud\n", nil), ("[Application]\nname=\n", nil),
            ("[Application]\nname=org.example.../x\n", nil), ("[Application]\nname=org.1example.A\n", nil),
            ("[Application]\nname=org.example." + String(repeating: "a", count: 250) + "\n", nil),
        ] as [(String, String?)])
    func flatpak(info: String, expected: String?) {
        #expect(SandboxedApp.flatpak(info: info)?.text == expected)
    }

    @Test(
        "Snap's word is a security label, or the control group that a program was started in",
        arguments: [
            ("snap.cloud-client.sync (enforce)\n", "snap:cloud-client"), ("snap.cloud_two.sync", "snap:cloud_two"),
            ("unconfined\n", nil), ("snap.cloud", nil), ("snap..x", nil), ("usr.bin.snap.x.y", nil), ("", nil),
        ] as [(String, String?)])
    func snap(label: String, expected: String?) {
        #expect(SandboxedApp.snap(label: label)?.text == expected)
        let group = label.prefix { $0 != " " && !$0.isNewline }
        #expect(SandboxedApp.snap(groups: "0::/user.slice/app.slice/\(group)-4f2.scope\n")?.text == expected)
        // Of services and other groups it is not the word, however long their names are.
        for other in ["\(group)", "\(group).service", "\(group).service.slice"] {
            #expect(SandboxedApp.snap(groups: "0::/user.slice/\(other)/x\n") == nil, "\(other)")
        }
    }

    @Test("An app is one word in files and messages, and comes back from it")
    func words() throws {
        for text in ["flatpak:org.example.Cloud", "snap:cloud"] {
            #expect(SandboxedApp(text: text)?.text == text)
        }
        for text in ["", "flatpak", "snap", "snap:", "docker:x", "flatpak:cloud", "snap:a:b", "snap:Ä"] {
            #expect(SandboxedApp(text: text) == nil, "\(text)")
        }
        let app = try #require(SandboxedApp(text: "snap:cloud"))
        #expect(SandboxedProgram(app: app).name == "cloud")
        #expect(SandboxedProgram(app: app, name: "The Cloud").name == "The Cloud")
    }
}
