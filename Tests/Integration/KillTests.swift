import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// Two hundred kills at random moments while files are edited and synced.
@Suite struct KillTests {
    private static let kills = 100

    @Test("F13: 100 kills of roundeld: the worker stays, badges go and come back, both sides end equal and whole")
    func killedService() throws {
        var random = SeededRandom(for: "kills of roundeld")
        let sync = try Self.world()
        let host = try sync.world.host()
        let place = uri(sync.local)
        var writer = Editor(sync)
        for _ in 0..<Self.kills {
            try writer.edit(&random)
            try Self.pass(&random, sync)
            try sync.world.restartService()
            try sync.world.until("the folder is back with its badges") {
                guard try host.begin(place) else { return false }
                return try host.badges(place, ["kept"]).map(\.badge) != [""]
            }
            #expect(sync.worker?.isRunning == true)
        }
        try Self.settle(sync, writer)
        try sync.awaitBadge("kept", "synced")
        try sync.awaitBadge("", "synced")
    }

    @Test("F13: 100 kills of the worker: roundeld stays, badges are withdrawn and restored, no file is damaged")
    func killedWorker() throws {
        var random = SeededRandom(for: "kills of the worker")
        let sync = try Self.world()
        let host = try sync.world.host()
        let place = uri(sync.local)
        let service = sync.world.service?.identifier
        var writer = Editor(sync)
        try host.begin(place)
        _ = try host.badges(place, ["kept"])
        for _ in 0..<Self.kills {
            try writer.edit(&random)
            try Self.pass(&random, sync)
            host.clear()
            sync.killWorker()
            try host.await(place, "kept", "")
            try Self.expectWhole(sync, writer)
            try sync.startWorker()
            try sync.world.until("the badge is back") {
                try host.badges(place, ["kept"]).map(\.badge) != [""]
            }
        }
        #expect(sync.world.service?.isRunning == true && sync.world.service?.identifier == service)
        #expect(!host.inbox.contains(.reset))
        try Self.settle(sync, writer)
        try sync.world.until("the badge is synced") { try host.badges(place, ["kept"]).map(\.badge) == ["synced"] }
    }

    /// The worker is announced, so that its folders stay known while it is gone.
    private static func world() throws -> SyncWorld {
        let world = try World(starts: false)
        try world.installation.addBundledManifest()
        return try SyncWorld(files: files, in: world)
    }

    private static let files = ["kept": Editor.text("kept", 0), "d/x": Editor.text("d/x", 0)]

    /// A random moment goes by in which the programs work.
    private static func pass(_ random: inout SeededRandom, _ sync: SyncWorld) throws {
        let end = Moment.now + .microseconds(Int.random(in: 0...60_000, using: &random))
        while Moment.now < end { sync.world.loop.runOnce(timeout: .milliseconds(1)) }
    }

    /// Every file on either side is one that was written, from its first byte to its last.
    private static func expectWhole(_ sync: SyncWorld, _ editor: Editor) throws {
        for side in [sync.local, sync.remote] {
            for (name, bytes) in try Disk.tree(side) {
                guard let bytes else { continue }
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(editor.written.contains(text), "\(side)/\(name) holds \(bytes.count) bytes: \(text.prefix(80))")
            }
        }
    }

    private static func settle(_ sync: SyncWorld, _ editor: Editor) throws {
        try sync.world.until("both sides are equal") {
            let outcome = try sync.sync("--confirm-deletes")
            return try outcome.status != 1 && sync.localTree() == sync.remoteTree()
        }
        try expectWhole(sync, editor)
        let texts = try Set(sync.localTexts().values)
        for (name, text) in editor.current { #expect(texts.contains(text), "the last version of \(name) is there") }
        #expect(try sync.sync().isSilent)
    }
}

/// A person who edits files on one side, each time by a rename, so that every version is whole at once.
private struct Editor {
    private let sync: SyncWorld
    private var step = 0
    /// Everything that was ever written.
    private(set) var written: Set<String>
    /// The last version of each file that was written here.
    private(set) var current: [String: String] = [:]

    init(_ sync: SyncWorld) {
        self.sync = sync
        written = [Self.text("kept", 0), Self.text("d/x", 0)]
    }

    /// A version that shows where it begins and ends, of some length.
    static func text(_ name: String, _ step: Int) -> String {
        "begin \(name) \(step)\n" + String(repeating: "\(name) \(step)\n", count: step * 37 % 5000)
            + "end \(name) \(step)\n"
    }

    mutating func edit(_ random: inout SeededRandom) throws {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            step += 1
            let name = "f\(Int.random(in: 0..<12, using: &random))"
            let text = Self.text(name, step)
            written.insert(text)
            try Disk.write("\(sync.world.installation.root)/edit", text)
            try Disk.move("\(sync.world.installation.root)/edit", sync.path(name))
            current[name] = text
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            step += 1
            let name = "r\(Int.random(in: 0..<6, using: &random))"
            let text = Self.text(name, step)
            written.insert(text)
            try Disk.write("\(sync.world.installation.root)/edit", text)
            try Disk.move("\(sync.world.installation.root)/edit", "\(sync.remote)/\(name)")
            current[name] = text
        }
    }
}
