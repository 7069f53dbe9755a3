import Glibc
import TestSupport

/// The system calls of a process that name files, or descriptors of files.
final class Trace {
    struct Call {
        var thread: Int32
        var text: String
    }

    private let file: String
    private let tracer: RunningProgram

    private static let calls =
        "%file,fstat,getdents64,read,pread64,close,fsync,fdatasync,syncfs,fcntl,ioctl,flock,fchmod,ftruncate"

    init(_ process: Int32, in world: World) throws {
        let file = world.installation.root + "/trace"
        self.file = file
        tracer = try RunningProgram(
            ["strace", "-f", "-qq", "-y", "-s", "4096", "-e", "trace=\(Self.calls)", "-o", file, "-p", "\(process)"],
            environment: RunningProgram.inheritedEnvironment)
        try world.until("it is traced") { [tracer] in
            guard tracer.isRunning else { throw Failure("strace: \(try tracer.finish())") }
            return try Disk.text("/proc/\(process)/status").contains("TracerPid:\t\(tracer.identifier)")
        }
    }

    /// Ends the tracing; gives what was seen.
    func end() throws -> [Call] {
        tracer.signal(SIGINT)
        try tracer.wait()
        return try Disk.text(file).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let thread = Int32(words[0]) else { return nil }
            return Call(thread: thread, text: String(words[1]))
        }
    }
}
