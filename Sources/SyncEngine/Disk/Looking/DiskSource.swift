import CLinux
import Glibc
import SyncCore
import SystemPackage

/// A file on disk that is being read.
final class DiskSource: ContentSource {
    private let file: Descriptor
    private let status: FileStatus
    private let path: RelativePath
    private let root: DiskRoot
    private var offset: UInt64 = 0
    /// The end of the data from `offset` on; no hole begins before it.
    private var dataEnd: UInt64 = 0

    init(file: Descriptor, status: FileStatus, path: RelativePath, root: DiskRoot) {
        self.file = file
        self.status = status
        self.path = path
        self.root = root
    }

    var size: Int64 { Int64(clamping: status.size) }
    var stored: Int64 { Int64(clamping: min(status.size, status.stored)) }
    var modified: Int64 { status.modified }
    var permissions: Permissions? { root.versions.permissions(of: file, status) }

    var origin: TransferOrigin? {
        TransferOrigin(root.side, path, root.versions.version(of: status))
    }

    func settle() {
        let wait = root.versions.remainingGrain(of: status)
        guard wait > 0 else { return }
        var time = timespec(tv_sec: Int(wait / 1_000_000_000), tv_nsec: Int(wait % 1_000_000_000))
        // If a signal ends the wait early, the version is still racy and is checked again later.
        nanosleep(&time, nil)
    }

    func linked() -> LinkedFile? {
        guard status.links > 1 else { return nil }
        let version = root.versions.version(of: status)
        if version.identity.isEmpty { return nil }
        settle()
        return LinkedFile(device: status.device, identity: version.identity, tag: version.tag)
    }

    private var hasHoles: Bool { status.stored < status.size }

    func passHole() throws(EffectFailure) -> Int64 {
        guard hasHoles, offset >= dataEnd, offset < status.size else { return 0 }
        let (hole, end) = file.data(from: offset, size: status.size)
        let passed = min(hole, status.size - offset)
        offset += passed
        dataEnd = end
        return Int64(clamping: passed)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(EffectFailure) -> Int {
        // Known data is read up to the next hole. Otherwise the read may go past the end of the file, to notice if it
        // grew.
        let isWithin = hasHoles && offset < dataEnd && dataEnd < status.size
        let length = isWithin ? Int(min(UInt64(buffer.count), dataEnd - offset)) : buffer.count
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
        let count = try root.attempt(path) { _ throws(Errno) in try file.read(into: part, at: offset) }
        offset += UInt64(count)
        return count
    }

    func hash() async throws(EffectFailure) -> ContentHash? {
        defer { (offset, dataEnd) = (0, 0) }
        return try await ContentTransfer.run(self, leaveOut: { _ in }, write: { _ in }).hash
    }

    func finish() throws(EffectFailure) -> Version {
        let now = try root.attempt(path) { _ throws(Errno) in try file.status() }
        guard now.hasSameContents(as: status), now.changed == status.changed, offset == status.size else {
            throw root.changed(path)
        }
        return root.versions.version(of: now)
    }
}
