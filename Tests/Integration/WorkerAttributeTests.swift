import CLinux
import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// What the worker says of an item beyond its badge.
@Suite struct WorkerAttributeTests {
    /// The attributes of an item as a host gets them.
    private func attributes(_ sync: SyncWorld, _ name: String, _ keys: [String] = []) throws -> VariantMap {
        try sync.world.host().attributes(uri(sync.path(name)), keys)
    }

    private static func microseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }

    private func setTags(_ path: String, _ value: [UInt8]) throws {
        guard lsetxattr(path, "user.xdg.tags", value, value.count, 0) == 0 else { throw Failure("setxattr: \(errno)") }
    }

    @Test("F14: a synced file has its label, remote address, tags, and the times of syncing and of the last use")
    func file() throws {
        let before = Self.microseconds() / 1_000_000 * 1_000_000
        let sync = try SyncWorld(files: ["a.txt": "contents", "d/b": "b"])
        try setTags(sync.path("a.txt"), Array("work, holiday 2026,,\u{e4}".utf8) + [0x2C, 0xFF])
        var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 5000), timespec(tv_sec: 0, tv_nsec: CLINUX_UTIME_OMIT)]
        #expect(utimensat(AT_FDCWD, sync.path("a.txt"), &times, 0) == 0)
        // The worker hashes the file, because its attributes have changed; that is no use of it.
        #expect(try sync.sync().isSilent)
        let all = try attributes(sync, "a.txt")
        #expect(all.string("state") == "synced" && all.string("label") == "Synced")
        #expect(all.strings("tags") == ["work", "holiday 2026", "\u{e4}"])
        #expect(all["last-used"] == .int64(1_000_000_000_000_005))
        #expect(all.string("remote-uri") == uri(sync.remote + "/a.txt"))
        guard case .int64(let synced) = all["last-synced"] else { throw Failure("\(all)") }
        #expect((before...Self.microseconds()).contains(synced))
        for key in ["progress", "bytes-done", "bytes-total", "message"] { #expect(all[key] == nil, "\(key)") }
        #expect(try attributes(sync, "a.txt", ["state", "tags"]).keys.sorted() == ["state", "tags"])
        #expect(try attributes(sync, "a.txt", ["remote-uri", "unknown"]).keys.sorted() == ["remote-uri"])
        #expect(try attributes(sync, "no such file").isEmpty)
    }

    @Test("F14: directories and the folder itself have the newest time of what is in them, and no last use")
    func directories() throws {
        let sync = try SyncWorld(files: ["d/e/b": "b"])
        for name in ["d/e", "d", ""] {
            var all: VariantMap = [:]
            // What was just done is heard of, and looked at, a moment later.
            try sync.world.until("\(name) is synced; the last was \(all)") {
                all = try attributes(sync, name)
                return all.string("state") == "synced"
            }
            #expect(all.string("remote-uri") == uri(name.isEmpty ? sync.remote : "\(sync.remote)/\(name)"))
            #expect(all["last-used"] == nil && all["last-synced"] != nil, "\(name): \(all)")
        }
    }

    @Test("F14: a conflict names the other version; the directories above say how many there are")
    func conflict() throws {
        let sync = try SyncWorld(files: ["d/a.txt": "base"])
        try sync.makeConflict("d/a.txt")
        guard let copy = try Disk.names(sync.path("d")).first(where: { $0.contains("(conflict ") }) else {
            throw Failure("there is no copy")
        }
        let original = try attributes(sync, "d/a.txt")
        #expect(original.string("state") == "conflict" && original.string("label") == "Conflict")
        #expect(original.string("message") == "The other version is “\(copy)”.")
        #expect(try attributes(sync, "d/\(copy)").string("message") == "The other version is “a.txt”.")
        #expect(try attributes(sync, "d").string("message") == "1 conflict")
        #expect(try attributes(sync, "d").string("state") == "conflict")
    }

    @Test("F14: what waits says how many bytes; an error says why; an excluded item is at no remote")
    func waitingFailedExcluded() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        try sync.roundel("pause", sync.local)
        try sync.write("new", "12345")
        try sync.awaitBadge("new", "paused")
        var waiting: VariantMap = [:]
        // It may have been seen first before anything was written in it.
        try sync.world.until("its bytes are known; the last was \(waiting)") {
            waiting = try attributes(sync, "new")
            return waiting["bytes-total"] == .uint64(5)
        }
        #expect(waiting.string("state") == "paused" && waiting.string("label") == "Paused")
        #expect(waiting["bytes-done"] == .uint64(0))
        #expect(waiting["remote-uri"] == nil && waiting["last-synced"] == nil && waiting["last-used"] != nil)
        #expect(try attributes(sync, "").string("message") == "1 item waiting")
        try Disk.link(sync.path("link"), to: "/etc/passwd")
        try sync.roundel("resume", sync.local)
        try sync.awaitBadge("link", "excluded")
        let excluded = try attributes(sync, "link")
        #expect(excluded.string("label") == "Not synced" && excluded.string("message") != nil)
        #expect(excluded["remote-uri"] == nil && excluded["last-used"] == nil)
        try sync.sync()
        // Moved away rather than deleted: the worker may still write there, and what it makes would be the remote again.
        try Disk.move(sync.remote, sync.remote + "-away")
        #expect(try sync.sync().status == 2)
        let root = try attributes(sync, "")
        #expect(root.string("state") == "error" && root.string("message")?.isEmpty == false)
    }

    @Test("F14: tags are read from the item itself, never from where a symbolic link leads")
    func symlinks() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let outside = sync.world.installation.root + "/home/outside"
        try Disk.write(outside, "secret")
        try setTags(outside, Array("secret".utf8))
        try Disk.link(sync.path("link"), to: outside)
        try sync.awaitBadge("link", "excluded")
        let link = try attributes(sync, "link")
        #expect(link["tags"] == nil && link["last-used"] == nil && link.string("state") == "excluded")
    }

    @Test("F14: the command line prints the attributes, for people and for programs")
    func commandLine() throws {
        let sync = try SyncWorld(files: ["a.txt": "contents"])
        try setTags(sync.path("a.txt"), Array("work,holiday".utf8))
        var json = ""
        // That is a change of the item, which the worker follows at some time.
        try sync.world.until("a.txt is synced again") {
            json = try sync.roundel("badge", "--attributes", "--json", sync.path("a.txt")).output
            return json.value(of: "badge") == "synced" && json.contains(#""tags":["work","holiday"]"#)
        }
        #expect(json.value(of: "remote_uri") == uri(sync.remote + "/a.txt"))
        #expect(json.contains(#/"last_synced":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/#))
        try sync.world.until("people read the same") {
            let text = try sync.roundel("badge", "--attributes", sync.path("a.txt")).output
            return text.contains("work, holiday") && text.contains("remote-uri")
        }
        #expect(try sync.roundel("badge", "--attributes", "--watch", sync.local).status == 64)
    }
}
