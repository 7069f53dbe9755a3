import DBus
import RoundelBus
import TestSupport
import Testing

/// The skeletons that `roundel new-provider` writes.
@Suite struct NewProviderTests {
    private let world: World
    private let host: HostClient
    private let folder: String
    private let place: String

    init() throws {
        world = try World()
        host = try world.host()
        folder = try world.makeFolder("Folder")
        place = try world.makeFolder("Work")
        try Disk.write(folder + "/a b", "1")
        try Disk.makeDirectories(folder + "/deep")
    }

    private func write(_ language: String) throws {
        let made = try world.installation.run(
            "roundel", ["new-provider", "my-sync", "--language", language], directory: place)
        guard made.status == 0 else { throw Failure("\(made)") }
    }

    /// Starts a provider and looks at its folder as a file manager does, before and after a restart of the service.
    private func use(_ program: [String]) throws {
        let provider = try RunningProgram(
            program + [folder], environment: world.installation.environment,
            errorFile: world.installation.root + "/provider.log")
        defer { provider.kill() }
        try host.awaitFolders([uri(folder)])
        try host.begin(uri(folder))
        try world.until("the badges are there") {
            try host.badges(uri(folder), ["a%20b", "deep", "gone"]).map(\.badge) == ["synced", "synced", ""]
        }
        #expect(try host.directory(uri(folder)).rows.map(\.name) == ["a%20b", "deep"])
        let page = try host.directory(uri(folder), limit: 1)
        #expect(page.rows.map(\.name) == ["a%20b"] && page.next == "a%20b")
        try Disk.write(folder + "/new", "1")
        try world.until("a new item has its badge") {
            try host.badges(uri(folder), ["new"]).map(\.badge) == ["synced"]
        }
        try Disk.write(folder + "/my.draft", "1")
        try showsPicture(host)
        try world.restartService()
        let later = try world.host()
        try later.awaitFolders([uri(folder)])
        try later.begin(uri(folder))
        try showsPicture(later)
    }

    /// Its own badge has a picture of its own.
    private func showsPicture(_ host: HostClient) throws {
        try world.until("a badge with a picture") {
            let icon = try host.icon(of: "my-sync.draft") ?? ""
            let picture = "\(world.installation.root)/data/icons/hicolor/scalable/emblems/\(icon).svg"
            return try Disk.textIfThere(picture) != nil
                && host.badges(uri(folder), ["my.draft"]).map(\.badge) == ["my-sync.draft"]
        }
    }

    @Test("A provider in Python runs as it is written")
    func python() throws {
        try write("python")
        try use(["/usr/bin/python3", place + "/my-sync/my-sync.py"])
    }

    @Test("A provider in C is built without a warning, and runs")
    func c() throws {
        try write("c")
        let made = try world.installation.run(
            bytes: "/usr/bin/make", ["CFLAGS=-Wall -Wextra -Werror"].map { Array($0.utf8) },
            directory: place + "/my-sync")
        #expect(made.status == 0, "\(made)")
        try use([place + "/my-sync/my-sync"])
    }

    @Test("The files of a manifest start it; a name that is taken, or is none, is refused")
    func files() throws {
        try write("python")
        #expect(
            try Disk.names(place + "/my-sync").sorted()
                == ["my-sync.provider", "my-sync.py", "org.example.MySync.service"])
        let manifest = try Disk.text(place + "/my-sync/my-sync.provider")
        #expect(
            manifest.contains("BusName=org.example.MySync\n") && manifest.contains("ObjectPath=/org/example/MySync\n"))
        for (name, status) in [("my-sync", 1), ("My Sync", 64), ("Up", 64)] as [(String, Int32)] {
            #expect(try world.installation.run("roundel", ["new-provider", name], directory: place).status == status)
        }
    }
}
