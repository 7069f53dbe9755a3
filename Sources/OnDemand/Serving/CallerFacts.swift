internal import Glibc
internal import Support
internal import SystemPackage

/// What the kernel says of the programs that use a folder, in /proc.
enum CallerFacts {
    private static let statusLimit = 16 << 10
    private static let argumentsLimit = 4_096
    /// How many sandboxes may stand between a program and who started it.
    private static let ancestorLimit = 8
    private static let sandbox = "bwrap"

    /// What is known of the program of a thread.
    static func caller(thread: Int32, leavesNoTrace: Bool) -> FetchCaller {
        guard thread > 0, let status = status(of: thread) else {
            return FetchCaller(thread: thread, process: 0, leavesNoTrace: leavesNoTrace)
        }
        let process = number("Tgid", in: status) ?? thread
        let name = field("Name", in: status) ?? ""
        var caller = FetchCaller(
            thread: thread, process: process, threadName: name, leavesNoTrace: leavesNoTrace)
        caller.executable = executable(of: thread) ?? Array(name.utf8)
        if FetchPolicy.needsArguments(caller.program) { caller.arguments = arguments(of: thread) }
        caller.ancestors = ancestors(from: number("PPid", in: status) ?? 0)
        return caller
    }

    /// What `/proc/TID/status` holds; nil if there is no such thread.
    static func status(of thread: Int32) -> String? {
        let path = FilePath("/proc/\(thread)/status")
        return (try? SmallFile.read(beginningOf: path, count: statusLimit)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a thread is one of a process.
    static func isThread(_ thread: Int32, of process: Int32) -> Bool {
        thread > 0 && process > 0 && access("/proc/\(process)/task/\(thread)", F_OK) == 0
    }

    private static func field(_ name: String, in status: String) -> String? {
        status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            .map { String($0.dropFirst(name.count + 1).drop { $0 == "\t" || $0 == " " }) }
    }

    private static func number(_ name: String, in status: String) -> Int32? {
        field(name, in: status).flatMap { Int32($0) }
    }

    /// A program that was replaced since it was started counts as what it was.
    private static func executable(of thread: Int32) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(thread)/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let deleted = Array(" (deleted)".utf8)
        let path = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        return Array(path.suffix(deleted.count) == deleted[...] ? path.dropLast(deleted.count) : path)
    }

    private static func arguments(of thread: Int32) -> [[UInt8]] {
        let path = FilePath("/proc/\(thread)/cmdline")
        let bytes = (try? SmallFile.read(beginningOf: path, count: argumentsLimit)) ?? []
        return bytes.split(separator: 0).map(Array.init)
    }

    private static func ancestors(from parent: Int32) -> [Int32] {
        var ancestors: [Int32] = []
        var next = parent
        while next > 1, ancestors.count < ancestorLimit {
            ancestors.append(next)
            guard let status = status(of: next), field("Name", in: status) == sandbox else { break }
            next = number("PPid", in: status) ?? 0
        }
        return ancestors
    }
}
