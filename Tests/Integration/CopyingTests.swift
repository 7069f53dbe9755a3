import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// Copying out of folders and into them from menus, with the desktop's dialog played by the test.
@Suite struct CopyingTests {
    private final class Scene {
        let sync: SyncWorld
        let portal: StandInFileChooser
        let host: HostClient
        let notifications: StandInNotifications
        let place: String

        init(_ files: [String: String]) throws {
            let world = try World(starts: false)
            notifications = try StandInNotifications(world)
            portal = try StandInFileChooser(world)
            sync = try SyncWorld(files: files, in: world)
            host = try world.host()
            place = try world.makeFolder("Elsewhere")
        }

        /// Chooses a menu item and gives how its action ends.
        func choose(
            _ id: String, _ kind: UInt32, _ target: String, _ selection: [String] = [],
            meanwhile: () throws -> Void = {}
        ) throws -> (outcome: UInt32, message: String) {
            var menu: (id: UInt64, items: [VariantMap]) = (0, [])
            try sync.world.until("a menu with \(id)") {
                menu = try host.menu(kind, target, selection)
                return holds("roundel/" + id, menu.items)
            }
            let number = menu.id
            _ = try host.call("Activate", [.uint64(number), .string("roundel/" + id)])
            try meanwhile()
            var end: (UInt32, String)?
            try sync.world.until("\(id) has ended") {
                for case .finished(number, _, let outcome, let message) in host.inbox { end = (outcome, message) }
                return end != nil
            }
            return end ?? (99, "")
        }

        func holds(_ id: String, _ items: [VariantMap]) -> Bool {
            items.contains { $0.string("id") == id || holds(id, $0.maps("children") ?? []) }
        }

        /// Waits until a notification has this title; gives its text.
        @discardableResult
        func told(_ title: String) throws -> String {
            try sync.world.until("“\(title)” is told") { notifications.shown.contains { $0.title == title } }
            return notifications.shown.last { $0.title == title }?.text ?? ""
        }
    }

    @Test("D1, D15: what is selected is copied out to the place that is chosen, whole, and its end is told")
    func copyOut() throws {
        let scene = try Scene(["d/a.txt": "a", "d/e/b": "b"])
        let root = uri(scene.sync.local)
        try Disk.makeDirectory(scene.place + "/d")
        scene.portal.answer = (0, [uri(scene.place)])
        #expect(try scene.choose("copy-out", 0, root, [root + "/d"]) == (0, ""))
        try scene.told("“d” was copied out of “Sync”")
        #expect(try Disk.text(scene.place + "/d (copy)/e/b") == "b")
        #expect(try Disk.names(scene.place).sorted() == ["d", "d (copy)"])
        let dialog = try #require(scene.portal.dialogs.first)
        #expect(dialog.options.bool("directory") == true && dialog.options.bool("multiple") == false)
        let log = try scene.sync.roundel("activity", "--json").output
        #expect(log.contains("\"copied-out\"") && log.contains("Elsewhere"))
    }

    @Test("D1: files that are chosen are copied into the directory shown and synced; nothing is replaced")
    func copyIn() throws {
        let scene = try Scene(["d/a.txt": "old"])
        try Disk.write(scene.place + "/a.txt", "new")
        scene.portal.answer = (0, [uri(scene.place + "/a.txt")])
        #expect(try scene.choose("add-files", 1, uri(scene.sync.path("d"))) == (0, ""))
        try scene.told("“a.txt” was copied to “d”")
        try scene.sync.world.until("it is on the remote") {
            try scene.sync.remoteTexts() == ["d/a.txt": "old", "d/a (copy).txt": "new"]
        }
        #expect(try Disk.text(scene.place + "/a.txt") == "new")
    }

    @Test("D1: directories that are chosen are moved into the folder, from the toolbar's menu as well")
    func moveIn() throws {
        let scene = try Scene(["a": "a"])
        try Disk.makeDirectories(scene.place + "/photos/2026")
        try Disk.write(scene.place + "/photos/2026/p", "picture")
        scene.portal.answer = (0, [uri(scene.place + "/photos")])
        let menu = try scene.host.menu(3, "", []).items
        let ids = menu.flatMap { $0.maps("children") ?? [] }.compactMap { $0.string("id") }
        let id = try #require(ids.first { $0.hasPrefix("roundel/move-directories:") })
        #expect(try scene.choose(String(id.dropFirst("roundel/".count)), 3, "") == (0, ""))
        try scene.sync.world.until("it is on the remote") {
            try scene.sync.remoteTexts() == ["a": "a", "photos/2026/p": "picture"]
        }
        #expect(try Disk.names(scene.place) == [])
        #expect(scene.portal.dialogs.last?.options.bool("multiple") == true)
    }

    @Test("A dialog that is closed does nothing, and is no failure")
    func cancelled() throws {
        let scene = try Scene(["a": "a"])
        let root = uri(scene.sync.local)
        scene.portal.answer = (1, [])
        #expect(try scene.choose("copy-out", 0, root, [root + "/a"]).outcome == 1)
        #expect(try scene.choose("add-files", 1, root).outcome == 1)
        #expect(try Disk.names(scene.place) == [] && scene.sync.localTexts() == ["a": "a"])
    }

    @Test("A portal that goes while its dialog is open is said, and its menu items go with it")
    func portalGoes() throws {
        let scene = try Scene(["a": "a"])
        let root = uri(scene.sync.local)
        let end = try scene.choose("copy-out", 0, root, [root + "/a"]) {
            try scene.sync.world.until("a dialog") { !scene.portal.dialogs.isEmpty }
            scene.portal.leave()
        }
        #expect(end.outcome == 2 && end.message.contains("dialog ended"), "\(end)")
        try scene.sync.world.until("the menu has no such item") {
            let items = try scene.host.menu(0, root, [root + "/a"]).items
            return !items.isEmpty && !scene.holds("roundel/copy-out", items)
        }
    }

    @Test("A destination that cannot be written is told, and nothing is left there", .enabled(if: geteuid() == 0))
    func readOnly() throws {
        let scene = try Scene(["a": "a"])
        let root = uri(scene.sync.local)
        let mounted = try RunningProgram(
            ["mount", "-t", "tmpfs", "-o", "ro", "none", scene.place], environment: RunningProgram.inheritedEnvironment)
        #expect(try mounted.wait() == 0)
        defer { umount2(scene.place, 2) }
        scene.portal.answer = (0, [uri(scene.place)])
        #expect(try scene.choose("copy-out", 0, root, [root + "/a"]) == (0, ""))
        let text = try scene.told("“a” could not be copied out of “Sync”")
        #expect(text.contains("~/Elsewhere is read-only"))
    }

    @Test("What has no path is refused with a sentence")
    func noPath() throws {
        let scene = try Scene(["a": "a"])
        scene.portal.answer = (0, ["mtp://phone/photo.jpg"])
        let end = try scene.choose("add-files", 1, uri(scene.sync.local))
        #expect(end.outcome == 2 && end.message.contains("mtp://phone/photo.jpg"), "\(end)")
    }
}
