import Support
import SystemPackage
import Testing

@Suite("The directories of the XDG Base Directory Specification")
struct BaseDirectoriesTests {
    private func directories(_ variables: [String: String]) -> BaseDirectories {
        BaseDirectories { name in variables[name].map { Array($0.utf8) } }
    }

    @Test("Without variables they lie below the home directory")
    func defaults() {
        let directories = directories(["HOME": "/h"])
        #expect(directories.home == "/h" && directories.configuration == "/h/.config")
        #expect(directories.data == "/h/.local/share" && directories.state == "/h/.local/state")
        #expect(directories.systemData == ["/usr/local/share", "/usr/share"])
    }

    @Test("A variable that is empty or holds a relative path counts as not set")
    func ignored() {
        for value in ["", "relative/path"] {
            let directories = directories([
                "HOME": "/h", "XDG_CONFIG_HOME": value, "XDG_DATA_HOME": value, "XDG_STATE_HOME": value,
            ])
            #expect(directories.configuration == "/h/.config" && directories.data == "/h/.local/share")
            #expect(directories.state == "/h/.local/state")
            #expect(self.directories(["HOME": value]).data == nil)
        }
        #expect(directories(["XDG_DATA_DIRS": ""]).systemData == ["/usr/local/share", "/usr/share"])
        #expect(directories(["XDG_DATA_DIRS": "/a::relative:/b/"]).systemData == ["/a", "/b"])
    }

    @Test("A variable with an absolute path is the directory, with a home or without")
    func named() {
        let directories = directories(["XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s"])
        #expect(directories.configuration == "/c" && directories.data == "/d" && directories.state == "/s")
        #expect(directories.home == nil)
    }

    @Test("A path keeps its bytes")
    func bytes() {
        let directories = BaseDirectories { $0 == "HOME" ? [0x2F, 0xE9] : nil }
        let home = directories.home?.withPlatformString { (UInt8(bitPattern: $0[0]), UInt8(bitPattern: $0[1])) }
        #expect(home?.0 == 0x2F && home?.1 == 0xE9)
    }
}
