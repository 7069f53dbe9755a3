import Glibc
import RoundelBus
import TestSupport
import Testing

/// Files that a program has not finished writing.
@Suite struct OpenFileTests {
    /// A file that is open for writing while this lives.
    private final class Writer {
        private let descriptor: CInt

        init(_ path: String) throws {
            descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw Failure("\(path) cannot be written: \(errno)") }
        }

        deinit { close(descriptor) }

        func write(_ text: String) throws {
            guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
                throw Failure("write: \(errno)")
            }
        }
    }

    @Test(
        "A file that a program still writes is not synced in part, and a run that waits for it says so",
        arguments: [true, false])
    func halfWritten(isLocal: Bool) throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let (side, other) = isLocal ? (sync.local, sync.remote) : (sync.remote, sync.local)
        var writer: Writer? = try Writer(side + "/film")
        try writer?.write("first half, ")
        let outcome = try sync.roundel("sync", "--wait", "--json", "--timeout", "60")
        #expect(outcome.status == 2)
        #expect(outcome.output.contains("\"waiting\":["))
        #expect(outcome.output.value(of: "path")?.hasSuffix("/film") == true)
        #expect(try Disk.names(other).contains("film") == false)
        try writer?.write("second half")
        let said = try sync.roundel("sync", "--wait", "--timeout", "60")
        #expect(said.status == 2 && said.output.contains("/film” waits: "))
        #expect(said.output.contains("is still being written"))
        #expect(try Disk.names(other).contains("film") == false)
        writer = nil
        try sync.world.until("it is synced") { try sync.sync().status == 0 }
        #expect(try Disk.text(other + "/film") == "first half, second half")
    }

    @Test("A file that is closed soon is waited for")
    func closedSoon() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let script = "exec 3>film; printf 'first half, ' >&3; sleep 1; printf 'second half' >&3"
        let writer = try RunningProgram(
            ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], directory: sync.remote)
        try sync.world.until("it is being written") { try Disk.names(sync.remote).contains("film") }
        #expect(try sync.sync().status == 0)
        #expect(try sync.localTexts()["film"] == "first half, second half")
        #expect(try writer.wait() == 0)
    }
}
