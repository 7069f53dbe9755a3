import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// Sides that stop answering while something of them is in flight, and what the worker's loop asks of disks.
@Suite(.enabled(if: SilentMount.isPermitted, "mounting and tracing need root and /dev/fuse")) struct HangTests {
    /// Three seconds of it, after which nothing more is to be seen.
    private static let size = 6 << 20

    /// A synced folder, and another one of which one side may stop answering.
    private struct Pair {
        let sync: SyncWorld
        let mount: HangingMount
        let folder: String
        let remote: String

        /// - Parameter hangs: whether the folder, else its remote.
        init(folderHangs hangs: Bool) throws {
            sync = try SyncWorld(files: ["a": "a"], letsTimeRunOut: true)
            folder = try sync.world.makeFolder("Other")
            remote = try sync.world.makeFolder("Far")
            mount = try HangingMount(
                try sync.world.makeFolder("Behind"), at: hangs ? folder : remote, in: sync.world)
        }

        var text: String {
            get throws { try sync.roundel("status", "--json", folder).output.value(of: "text") ?? "" }
        }

        /// Whether the worker has a file open.
        func isOpen(_ path: String) throws -> Bool {
            guard let worker = sync.worker else { return false }
            let place = "/proc/\(worker.identifier)/fd"
            return try Disk.names(place).contains { name in
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = readlink("\(place)/\(name)", &buffer, buffer.count)
                return count > 0 && String(decoding: buffer.prefix(count), as: UTF8.self) == path
            }
        }

        /// The other folder is synced all the same.
        func othersGoOn(_ text: String) throws {
            try sync.write("a", text)
            #expect(try sync.roundel("sync", sync.local, "--wait").status == 0)
            #expect(try sync.remoteTexts()["a"] == text)
        }

        func saysSo() throws {
            try sync.world.until("it says that it does not answer") { try text.contains("does not answer") }
        }
    }

    @Test("A folder that stops answering while a file is hashed says so, stops nothing else, and goes on")
    func whileHashing() throws {
        let pair = try Pair(folderHangs: true)
        let bytes = [UInt8](repeating: 7, count: Self.size)
        // Files of one size whose times differ are compared by their contents.
        for side in [pair.folder, pair.remote] { try Disk.write(side + "/same", bytes) }
        #expect(try pair.sync.roundel("add", pair.folder, pair.remote).status == 0)
        try pair.sync.world.until("it is read") { try pair.isOpen(pair.mount.path + "/same") }
        pair.mount.hang()
        try pair.saysSo()
        try pair.othersGoOn("edited meanwhile")
        pair.mount.answer()
        try pair.sync.world.until("it goes on") { try pair.text.hasPrefix("Up to date") }
        let names = try Disk.names(pair.folder).filter { !$0.hasPrefix(".") }
        #expect(names == ["same"])
    }

    @Test("A remote that stops answering in the middle of a transfer says so, goes on, and does not keep the worker")
    func whileTransferring() throws {
        let pair = try Pair(folderHangs: false)
        #expect(try pair.sync.roundel("add", pair.folder, pair.remote, "--wait").status == 0)
        for (round, name) in ["first", "second"].enumerated() {
            try Disk.write(pair.folder + "/" + name, [UInt8](repeating: UInt8(round), count: Self.size))
            try pair.sync.roundel("sync", pair.folder)
            // Seen where they arrive: a command may take as long as the transfer.
            try pair.sync.world.until("bytes are moving") { pair.sync.stagedBytes(in: pair.mount.source) > 0 }
            pair.mount.hang()
            try pair.saysSo()
            try pair.othersGoOn("edited in round \(round)")
            let worker = try #require(pair.sync.worker)
            if round == 1 {
                worker.signal(SIGTERM)
                // Its process ends when the file system lets go of it: a request that the server has read is waited for.
                try pair.sync.world.until("the worker has ended") {
                    try pair.sync.world.process(of: Names.worker) == nil
                }
            }
            pair.mount.answer()
            if round == 1 {
                try worker.wait()
                try pair.sync.startWorker()
            }
            try pair.sync.world.until("it goes on") {
                let path = "\(pair.remote)/\(name)"
                return try Disk.exists(path) && Disk.read(path).count == Self.size
            }
            try pair.sync.world.until("it is synced") { try pair.text.hasPrefix("Up to date") }
        }
    }

    @Test("The worker's loop asks nothing of a folder or remote, whatever it is called for")
    func loopTouchesNothing() throws {
        let sync = try SyncWorld(adds: false)
        let worker = try #require(sync.worker)
        let places = [sync.local, sync.remote, try sync.world.makeFolder("Moved")]
        let trace = try Trace(worker.identifier, in: sync.world)
        try sync.write("a", "a")
        #expect(try sync.roundel("add", sync.local, sync.remote, "--wait").status == 0)
        #expect(try sync.roundel("add", sync.local, sync.remote).status == 1)
        try sync.write("b", "b")
        try Disk.remove(sync.path("a"))
        #expect(try sync.roundel("sync", sync.local, "--wait").status == 0)
        _ = try sync.roundel("ls", sync.local)
        _ = try sync.roundel("badge", sync.path("b"))
        #expect(try sync.roundel("trash").status == 0)
        #expect(try sync.roundel("trash", "restore", sync.path("a")).status == 0)
        #expect(try sync.roundel("menu", "items", sync.path("b")).status == 0)
        _ = try sync.roundel("do", "show-remote", sync.path("b"))
        _ = try sync.roundel("do", "open-folder", sync.local)
        try sync.makeConflict("b")
        #expect(try sync.roundel("resolve", sync.path("b"), "both").status == 0)
        Disk.removeAll(places[2])
        try Disk.move(sync.local, places[2])
        #expect(try sync.roundel("relocate", sync.local, places[2]).status == 0)
        #expect(try sync.roundel("remove", places[2]).status == 0)
        let calls = try trace.end()
        #expect(calls.contains { line in places.contains { line.text.contains($0) } }, "nothing was traced")
        let loop = calls.filter { call in
            call.thread == worker.identifier && places.contains { call.text.contains($0) }
        }
        #expect(loop.map(\.text).prefix(5).isEmpty)
    }
}
