import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// Whatever a person looks at, nothing says that all is well while a part of a folder is unknown.
@Suite struct StatusTruthTests {
    /// A folder beside another one, which is always well, and everything that speaks of it.
    private final class Scene {
        let sync: SyncWorld
        let host: HostClient
        var folder: String { sync.local }

        init(_ sync: SyncWorld) throws {
            self.sync = sync
            host = try sync.world.host()
            try host.begin(uri(sync.world.installation.root + "/home"))
        }

        /// Who says of the folder that all is well, with what they say.
        func claims() throws -> [String] {
            var claims: [String] = []
            func note(_ who: String, _ text: String, _ isClaim: Bool) {
                if isClaim { claims.append("\(who): \(text)") }
            }
            let status = try sync.roundel("status", "--json", folder).output
            note("status state", status, status.value(of: "state") == "synced")
            note("status text", status, (status.value(of: "text") ?? "").hasPrefix("Up to date"))
            let plain = try sync.roundel("status", folder).output
            note("plain status", plain, plain.hasPrefix("synced") || plain.contains("Up to date"))
            let listing = try sync.roundel("ls", sync.world.installation.root + "/home").output
            for line in listing.split(separator: "\n") where line.contains(" Sync/") {
                note("ls", String(line), line.lowercased().contains("synced"))
            }
            let list = try sync.roundel("list").output
            note("list", list, list.hasPrefix("synced") || list.contains("\nsynced"))
            let badge = try sync.badge("")
            note("badge", badge, badge == "synced")
            let told = host.badge(uri(sync.world.installation.root + "/home"), "Sync")
            note("told", told ?? "", told == "synced")
            let hub = try hubStatus()
            note("tray", "\(hub)", hub.state == 1 || hub.text.hasPrefix("Up to date"))
            return claims
        }

        /// What the tray, the menus and the sidebar get: 1 is idle.
        private func hubStatus() throws -> (state: UInt32, text: String) {
            guard case .dictionary(_, _, let entries) = try host.property("FolderStatus") else { return (0, "") }
            for entry in entries {
                if entry.key.string == uri(folder), case .structure(let values) = entry.value {
                    return (values.first?.uint32 ?? 0, values.dropFirst().first?.string ?? "")
                }
            }
            return (0, "")
        }

        /// Nobody says so, ask as often as one likes.
        func nobodyClaims(_ when: String) throws {
            for _ in 0..<3 {
                let claims = try claims()
                #expect(claims.isEmpty, "\(when)")
            }
        }

        /// All of them say so in the end.
        func allClaim() throws {
            var last: [String] = []
            try sync.world.until("all is well; so far \(last)") {
                last = try claims()
                return last.count == 7
            }
        }

        /// The worker says so, and what it told the badge service has arrived: the command asks the worker itself and
        /// may be ahead of that.
        func await(_ phase: String, _ text: String) throws {
            var last: [String] = []
            try sync.world.until("it says “\(text)” as it is \(phase); so far \(last)") {
                last = try claims()
                return try last.isEmpty && sync.roundel("status", "--json", folder).output.contains(text)
            }
        }
    }

    @Test("while deletions are held back, until they are confirmed")
    func heldBack() throws {
        let sync = try SyncWorld(files: SyncWorld.heldTogether)
        let scene = try Scene(sync)
        try scene.allClaim()
        try sync.deleteTogether(isLocal: false)
        try sync.sync()
        try scene.await("held back", "\"needs\":\"confirm-deletes\"")
        try scene.nobodyClaims("deletions are held back")
        try sync.sync("--confirm-deletes")
        try scene.allClaim()
    }

    @Test("while the remote is away, and while the folder is")
    func away() throws {
        let sync = try SyncWorld(files: ["a": "a", "d/b": "b"])
        let scene = try Scene(sync)
        for (place, needs) in [(sync.remote, "remote-missing"), (sync.local, "root-missing")] {
            try scene.allClaim()
            try Disk.move(place, place + "-away")
            try scene.await("away", "\"needs\":\"\(needs)\"")
            try scene.nobodyClaims("\(place) is away")
            try Disk.move(place + "-away", place)
            try sync.sync()
        }
        try scene.allClaim()
    }

    @Test("of what is edited while the remote is away")
    func editedMeanwhile() throws {
        let sync = try SyncWorld(files: ["a": "a", "d/b": "b", "c": "c"])
        let scene = try Scene(sync)
        try scene.allClaim()
        try scene.host.begin(uri(sync.local))
        try sync.world.until("the badges are there") {
            try scene.host.badges(uri(sync.local), ["a", "c", "d"]).map(\.badge) == ["synced", "synced", "synced"]
        }
        try Disk.move(sync.remote, sync.remote + "-away")
        try scene.await("away", "\"needs\":\"remote-missing\"")
        try sync.write("a", "edited")
        try sync.write("d/b", "edited")
        try sync.world.until("the edited ones are told to wait") {
            scene.host.badge(uri(sync.local), "a") == "pending" && scene.host.badge(uri(sync.local), "d") == "pending"
        }
        try sync.awaitBadge("d/b", "pending")
        for (name, badge) in ["a": "pending", "c": "synced", "d": "pending"] { try sync.awaitBadge(name, badge) }
        try Disk.move(sync.remote + "-away", sync.remote)
        try sync.sync()
        try sync.world.until("they are told to be synced") {
            scene.host.badge(uri(sync.local), "a") == "synced" && scene.host.badge(uri(sync.local), "d") == "synced"
        }
        try scene.allClaim()
    }

    @Test("while it is paused with something to do, and while an item could not be synced")
    func pausedAndFailed() throws {
        let sync = try SyncWorld(files: ["a": "a", "gone": "g"])
        let scene = try Scene(sync)
        try scene.allClaim()
        try sync.roundel("pause", sync.local)
        try sync.write("a", "edited")
        try scene.await("paused", "\"state\":\"paused\"")
        try scene.nobodyClaims("paused")
        try sync.roundel("resume", sync.local)
        try scene.allClaim()
        // Something that is not synced stands where the directory is to go.
        try Disk.link(sync.remote + "/d", to: "/etc")
        try sync.write("d/x", "x")
        try sync.sync()
        try scene.await("failed", "\"state\":\"error\"")
        try scene.nobodyClaims("an item could not be synced")
    }

    @Test("while the worker is gone, and while it looks through what it found when it came back")
    func unknown() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let scene = try Scene(sync)
        try scene.allClaim()
        sync.killWorker()
        try sync.world.until("nobody answers for it") { try sync.badge("") != "synced" }
        for _ in 0..<3 {
            #expect(try scene.sync.badge("") != "synced")
            let listing = try sync.roundel("ls", sync.world.installation.root + "/home").output
            #expect(listing.contains(" Sync/") && !listing.lowercased().contains("synced"), "\(listing)")
        }
        try sync.startWorker()
        try scene.allClaim()
    }

    @Test(
        "while it is looked through at the start, and when a side does not answer",
        .enabled(if: SilentMount.isPermitted, "mounting needs root and /dev/fuse"))
    func lookingAndOffline() throws {
        let sync = try SyncWorld(adds: false, files: ["a": "a"], letsTimeRunOut: true)
        // Not where the listing looks: it would wait for it as ls(1) does.
        let remote = sync.world.installation.root + "/far"
        try Disk.makeDirectory(remote)
        #expect(try sync.roundel("add", sync.local, remote, "--wait").status == 0)
        let scene = try Scene(sync)
        try scene.allClaim()
        sync.killWorker()
        let mount = try SilentMount(at: remote)
        try sync.startWorker()
        // How often before it is said depends on how fast the commands are.
        try sync.world.until("it says that it does not answer") {
            let claims = try scene.claims()
            #expect(claims.isEmpty)
            return try sync.roundel("status", "--json", sync.local).output.contains("does not answer")
        }
        try scene.nobodyClaims("the remote does not answer")
        withExtendedLifetime(mount) {}
    }
}
