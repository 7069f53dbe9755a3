import Glibc
import Support
import SystemPackage

/// Threads that access file systems which may never respond, each for one path. A blocked thread is abandoned, and its
/// mount is not accessed again until it returns.
struct ResolveHelpers {
    struct Request {
        let token: UInt64
        let path: FilePath
        let mounts: MountTable
        /// The mount that may not respond.
        let mount: Int
        /// The result to use if it does not respond.
        let fallback: PathResolution
    }

    private struct Pending {
        let request: Request
        let deadline: Instant
        var isAnswered = false
    }

    /// The maximum number of threads for one mount.
    private static let threadLimit = 4

    private var pending: [UInt64: Pending] = [:]
    private var lastSerial: UInt64 = 0

    var deadline: Instant? { pending.values.filter { !$0.isAnswered }.map(\.deadline).min() }

    /// Starts a helper; false if the mount has stopped responding, or no thread can be created.
    mutating func start(_ request: Request, at now: Instant, reportingTo commands: CommandMailbox) -> Bool {
        let others = pending.values.filter { $0.request.mount == request.mount }
        if others.contains(where: \.isAnswered) || others.count >= Self.threadLimit { return false }
        lastSerial += 1
        let serial = lastSerial
        let (mounts, path) = (request.mounts, request.path)
        do {
            try DetachedThread.start("resolve") {
                if case .resolved(let resolution) = PathResolver(mounts: mounts, gate: nil).resolve(path) {
                    commands.send(.finishResolving(serial: serial, resolution))
                }
            }
        } catch {
            return false
        }
        pending[serial] = Pending(request: request, deadline: now + Patience.Watching.path)
        return true
    }

    /// The token for the result of a helper; nil if it came too late.
    mutating func finish(_ serial: UInt64) -> UInt64? {
        guard let entry = pending.removeValue(forKey: serial), !entry.isAnswered else { return nil }
        return entry.request.token
    }

    /// The requests whose time is up.
    mutating func expire(at now: Instant) -> [(token: UInt64, fallback: PathResolution)] {
        var expired: [(token: UInt64, fallback: PathResolution)] = []
        for (serial, entry) in pending where !entry.isAnswered && entry.deadline <= now {
            pending[serial]?.isAnswered = true
            expired.append((entry.request.token, entry.request.fallback))
        }
        return expired
    }
}
