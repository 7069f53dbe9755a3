import CLinux
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

@Suite("libinotifytools as an oracle")
struct OracleTests {
    @Test(
        "D4: what libinotifytools reports is reported, and nothing else",
        arguments: SeededRandom.seeds(3, for: "OracleTests"))
    func sameEvents(seed: UInt64) throws {
        let temporary = try TemporaryDirectory()
        let directories = (0..<4).flatMap { outer in (0..<4).map { "root/\(outer)/\($0)" } }
        for directory in directories { Disk.makeDirectories(temporary(directory)) }
        let oracle = try Oracle(watching: temporary("root"), output: temporary("output"))
        let session = try WatchSession()
        let folder = FolderID(rawValue: 1)
        session.watcher.setFolder(folder, at: temporary("root"), recursive: true)
        _ = try session.flush(folder)

        var generator = SeededRandom(seed: seed)
        for _ in 0..<1500 { operate(in: directories, temporary, &generator) }
        let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        let reported = Set(try oracle.finish())
        #expect(!changes.overflow && !reported.isEmpty)
        let named = Set(changes.items.map(\.string))
        let whole = Set(changes.directories.map(\.string))
        for path in reported where !named.contains(path) {
            #expect(whole.contains(FilePath(path).removingLastComponent().string), "\(path) is missing, seed \(seed)")
        }
        #expect(named.subtracting(reported).isEmpty, "seed \(seed)")
    }

    private func operate(in directories: [String], _ temporary: TemporaryDirectory, _ generator: inout SeededRandom) {
        func file() -> FilePath {
            let directory = directories.randomElement(using: &generator) ?? "root"
            return temporary("\(directory)/file\(Int.random(in: 0..<20, using: &generator))")
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0...2: Disk.write(file())
        case 3: Disk.rename(file(), to: file())
        case 4: Disk.remove(file())
        default: Disk.changeMode(file(), 0o600)
        }
    }
}

/// The program `watch-oracle` beside the test program; a process of its own because the library's state is global.
private final class Oracle {
    private let pipe: UnsafeMutablePointer<FILE>
    private let output: FilePath
    private var isRunning = true

    init(watching directory: FilePath, output: FilePath) throws {
        self.output = output
        let beside = FilePath(CommandLine.arguments[0]).removingLastComponent()
        let program = [beside, Self.directoryOfTests(beside)].map { $0.appending("watch-oracle") }
            .first { access($0.string, X_OK) == 0 }
        let path = try #require(program, "watch-oracle is not built")
        // What the oracle says first is waited for by watching the file that it says it in.
        let isMade = Disk.write(output, "")
        let growth = inotify_init1(Int32(IN_CLOEXEC))
        defer { close(growth) }
        let watch = output.withPlatformString { inotify_add_watch(growth, $0, UInt32(IN_MODIFY)) }
        try #require(isMade && watch >= 0)
        pipe = try #require(popen("exec '\(path)' '\(directory)' > '\(output)'", "we"))
        while try lines().first != "READY" {
            var more = pollfd(fd: growth, events: Int16(POLLIN), revents: 0)
            try #require(poll(&more, 1, 240_000) == 1, "the oracle does not start")
            var event = [UInt8](repeating: 0, count: 4096)
            _ = read(growth, &event, event.count)
        }
    }

    /// Also after a failure: while a child that has ended is not waited for, exit tests never learn of their own.
    deinit { end() }

    private func end() {
        if isRunning { pclose(pipe) }
        isRunning = false
    }

    /// Ends the oracle and gives the paths that it reported.
    func finish() throws -> [String] {
        end()
        return Array(try lines().dropFirst())
    }

    private func lines() throws -> [String] {
        guard let file = fopen(output.string, "re") else { return [] }
        defer { fclose(file) }
        var text: [UInt8] = []
        var byte = getc(file)
        while byte != EOF {
            text.append(UInt8(truncatingIfNeeded: byte))
            byte = getc(file)
        }
        return text.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    }

    /// `swift test` runs the tests in a program of the toolchain, whose argument names the test bundle.
    private static func directoryOfTests(_ fallback: FilePath) -> FilePath {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        return bundle.map { FilePath($0).removingLastComponent() } ?? fallback
    }
}
