import Glibc
import RemoteSupport
import SyncCore
import SyncEngine
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// What is special about Apache: its tags are weak for a moment or for good, and a move over a file removes that first.
@Suite(.serialized, .enabled(if: ServerKind.apache.program != nil, "needs Apache"))
struct ApacheTests {
    private func play(_ body: (TestServer, ServerFolder) async throws -> Void) async throws {
        let server = try TestServer(.apache)
        let client = try server.client()
        var traits = try await ServerProbe(client, in: .constant("probe")).run()
        // To a probe that waits for a processor, its tags seem coarser than they are.
        traits.tagsAreVeryFine = true
        let folder = try ServerFolder(client, traits: traits)
        let result: Result<Void, any Error>
        do { result = .success(try await body(server, folder)) } catch { result = .failure(error) }
        try? await folder.stop()
        await client.shutDown()
        try result.get()
    }

    @Test("Files with times in the future, whose tags stay weak, settle, and their edits go up")
    func future() async throws {
        try await play { server, folder in
            let names = (0..<30).map { "future \($0)" }
            for name in names { try write("first of \(name)", to: server, name) }
            try await folder.syncAll()
            #expect(try FileTree.read(folder.local.path).count == names.count)
            #expect(try await folder.syncAll() == RunSummary())
            for name in names.prefix(5) { try folder.local.write("second of \(name), from here", to: name) }
            try folder.local.remove(names[5])
            try folder.local.rename(names[6], to: "moved")
            try write("second of \(names[7]), from there", to: server, names[7])
            try await folder.syncAll()
            let (mine, theirs) = (try FileTree.read(folder.local.path), try FileTree.read(server.files))
            #expect(FileTree.differences(mine, theirs) == [])
            #expect(theirs[names[0]] == "second of \(names[0]), from here" && theirs[names[5]] == nil)
            #expect(mine[names[7]] == "second of \(names[7]), from there" && theirs["moved"] != nil)
            #expect(try await folder.syncAll() == RunSummary())
            #expect(folder.errors == [])
        }
    }

    /// Puts a file where the server has it, with a time a day ahead.
    private func write(_ text: String, to server: TestServer, _ name: String) throws {
        let path = server.files.appending(name).string
        guard let file = fopen(path, "w") else { throw Failure("fopen: \(errno)") }
        fputs(text, file)
        fclose(file)
        chmod(path, 0o666)
        if getuid() == 0, let account = getpwnam("www-data") {
            chown(path, account.pointee.pw_uid, account.pointee.pw_gid)
        }
        let later = timeval(tv_sec: time(nil) + 86_400, tv_usec: 0)
        guard utimes(path, [later, later]) == 0 else { throw Failure("utimes: \(errno)") }
    }

    @Test("A small file that is replaced is there at every moment")
    func neverAbsent() async throws {
        try await play { server, folder in
            try folder.local.write("first", to: "a")
            try await folder.syncAll()
            let watch = Watch(of: server.files.appending("a").string)
            async let watching: Void = watch.run()
            for number in 0..<20 {
                try folder.local.write("edit \(number)", to: "a")
                try await folder.syncAll()
            }
            watch.end()
            await watching
            #expect(watch.absences == 0)
            #expect(try FileTree.read(server.files) == ["a": "edit 19"])
            #expect(try await folder.syncAll() == RunSummary())
        }
    }

    /// Looks all the time whether a file is there.
    private final class Watch: Sendable {
        private let path: String
        private let state = Mutex((isOver: false, absences: 0))

        init(of path: String) { self.path = path }

        var absences: Int { state.withLock { $0.absences } }

        func end() { state.withLock { $0.isOver = true } }

        func run() async {
            while !state.withLock({ $0.isOver }) {
                for _ in 0..<200 where access(path, F_OK) != 0 { state.withLock { $0.absences += 1 } }
                await Task.yield()
            }
        }
    }
}
