internal import Support
import SyncCore
import SyncEngine
import Synchronization
import SystemPackage

/// A file that rclone fetches; it is read while it arrives.
final class RcloneSource: ContentSource {
    /// The result of the transfer.
    private final class Fetching: Sendable {
        let outcome = Mutex<Result<Void, RcloneFailure>?>(nil)
    }

    private let remote: RcloneRemote
    private let path: RelativePath
    private let expected: Version
    private let file: SpooledFile
    private let grain: Duration
    private let fetching = Fetching()
    private var task: Task<Void, Never>?
    private var offset: Int64 = 0

    /// - Parameter grain: The time after which a racy version is no longer racy.
    init(
        _ file: SpooledFile, at path: RelativePath, _ expected: Version, of remote: RcloneRemote, grain: Duration
    ) {
        self.file = file
        self.grain = grain
        self.path = path
        self.expected = expected
        self.remote = remote
    }

    deinit { task?.cancel() }

    var size: Int64 { expected.size }
    var stored: Int64 { expected.size }
    var modified: Int64 { expected.modified }
    var permissions: Permissions? { nil }

    func settle() async {
        guard expected.isRacy else { return }
        // If this ends early, the version remains racy and is looked at again.
        try? await Task.sleep(for: grain, clock: .continuous)
    }

    func linked() async -> LinkedFile? { nil }

    func passHole() async throws(EffectFailure) -> Int64 { 0 }

    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
        begin()
        var pause = Duration.milliseconds(1)
        while true {
            // This is read first: if the transfer had ended by then, the file is complete.
            let outcome = fetching.outcome.withLock { $0 }
            let count: Int
            do throws(Errno) {
                count = try file.read(into: buffer, at: offset)
            } catch {
                throw SpooledFile.failure(error, at: path)
            }
            if count > 0 {
                offset += Int64(count)
                return count
            }
            if let outcome { return try end(outcome) }
            do {
                try await Task.sleep(for: pause, clock: .continuous)
            } catch {
                throw remote.failure(RcloneFailure(.cancelled), at: path)
            }
            pause = min(pause * 2, Patience.Rclone.download)
        }
    }

    private func end(_ outcome: Result<Void, RcloneFailure>) throws(EffectFailure) -> Int {
        do throws(RcloneFailure) {
            try outcome.get()
        } catch {
            throw remote.failure(error, at: path)
        }
        guard offset == expected.size else { throw remote.failure(RcloneFailure(.changed), at: path) }
        return 0
    }

    /// Starts the transfer, which ends by itself.
    private func begin() {
        guard task == nil else { return }
        task = Task { [remote, path, file, fetching] in
            let result: Result<Void, RcloneFailure>
            do throws(RcloneFailure) {
                result = .success(try await remote.fetch(path, into: file))
            } catch {
                result = .failure(error)
            }
            fetching.outcome.withLock { $0 = result }
        }
    }

    func finish() async throws(EffectFailure) -> Version {
        // A reader that knows the size may have stopped at the last byte.
        while fetching.outcome.withLock({ $0 }) == nil {
            if Task.isCancelled { throw remote.failure(RcloneFailure(.cancelled), at: path) }
            begin()
            try? await Task.sleep(for: .milliseconds(1), clock: .continuous)
        }
        if let outcome = fetching.outcome.withLock({ $0 }) { _ = try end(outcome) }
        guard file.size == expected.size, let found = try await remote.look(path), found.kind == .file,
            found.version.isSame(as: expected)
        else { throw remote.failure(RcloneFailure(.changed), at: path) }
        return found.version
    }
}
