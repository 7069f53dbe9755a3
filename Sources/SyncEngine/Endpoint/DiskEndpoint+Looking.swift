import CLinux
import Glibc
import SyncCore
import SystemPackage

extension DiskEndpoint {
    func list(_ path: RelativePath, _ part: ListingPart) throws(EffectFailure) -> ListingPage {
        let (opened, own) = try attempt(path) { workspace throws(Errno) in
            let opened = try workspace.directory.directory(at: path)
            return (opened, try opened.descriptor.status())
        }
        if !part.identity.isEmpty, versions.version(of: own).identity != part.identity, !path.isRoot {
            throw changed(path)
        }
        let names = try attempt(path) { _ throws(Errno) in
            try nameLists.names(of: opened, at: path, own, after: part.after, limit: Self.entriesAtOnce)
        }
        var listed: [ListedEntry] = []
        listed.reserveCapacity(names.next.count)
        try attempt(path) { workspace throws(Errno) in
            for name in names.next {
                if let entry = try shownEntry(name, in: opened, at: path, workspace) { listed.append(entry) }
            }
        }
        return ListingPage(entries: listed, through: names.hasMore ? names.next.last : nil)
    }

    /// How many entries of a directory to return at once. Before they are merged, entries take many times the memory
    /// that they need afterwards.
    static let entriesAtOnce = 512

    /// An entry of a directory; nil if it is the engine's own, or was removed after the names were read.
    private func shownEntry(
        _ name: EntryName, in directory: DirectoryHandle, at path: RelativePath, _ workspace: Workspace
    ) throws(Errno) -> ListedEntry? {
        let status: FileStatus
        do throws(Errno) {
            status = try directory.status(of: name)
        } catch .noSuchFileOrDirectory {
            return nil
        }
        if workspace.isOwn(DirectoryEntry(name: name, status: status), in: path) { return nil }
        return try listedEntry(name, status, in: directory)
    }

    func entry(_ path: RelativePath, in directory: Token) throws(EffectFailure) -> ListedEntry? {
        // If the root is missing, nothing is known about its contents.
        let workspace = try attempt(.root) { workspace throws(Errno) in workspace }
        let parent: DirectoryHandle
        let name: EntryName
        let own: FileStatus
        do throws(Errno) {
            (parent, name) = try workspace.directory.parent(of: path)
            own = try parent.descriptor.status()
        } catch {
            // If its parent directory is not at the path, nothing is known about an entry of a particular directory.
            let failure = EffectFailure(error, path.parent, on: side)
            if directory.isEmpty && failure.reason == .notFound { return nil }
            throw failure
        }
        if !directory.isEmpty && versions.version(of: own).identity != directory { throw changed(path.parent) }
        do throws(Errno) {
            return try entry(name, of: parent, at: path, workspace)
        } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
            return nil
        } catch {
            throw EffectFailure(error, path, on: side)
        }
    }

    private func entry(
        _ name: EntryName, of parent: DirectoryHandle, at path: RelativePath, _ workspace: Workspace
    ) throws(Errno) -> ListedEntry? {
        let status = try parent.status(of: name)
        guard try parent.spells(name, status),
            !workspace.isOwn(DirectoryEntry(name: name, status: status), in: path.parent)
        else { return nil }
        return try listedEntry(name, status, in: parent)
    }

    /// An entry with its version, according to the rules of its file system.
    private func listedEntry(
        _ name: EntryName, _ status: FileStatus, in parent: DirectoryHandle
    ) throws(Errno) -> ListedEntry {
        if let version = versions.knownVersion(of: status) {
            return ListedEntry(name: name, kind: status.kind, version: version, isMountRoot: status.isMountRoot)
        }
        var status = status
        if !versions.knows(status.device) {
            var directory = parent
            if status.isMountRoot && status.kind == .directory {
                // Opening the directory triggers an automount, so that the status is that of the mounted file system.
                directory = try parent.directory(at: RelativePath([name]))
                status = try directory.descriptor.status()
            }
            try versions.learn(status.device, DiskKind(of: directory.descriptor))
        }
        return ListedEntry(
            name: name, kind: status.kind, version: versions.version(of: status), isMountRoot: status.isMountRoot)
    }

    func open(_ path: RelativePath, expecting expected: Version) throws(EffectFailure) -> any ContentSource {
        let (file, status) = try openChecked(path, expecting: expected)
        return DiskSource(file: file, status: status, path: path, endpoint: self)
    }

    /// Opens a file that has the expected version and is not open for writing.
    func openChecked(
        _ path: RelativePath, expecting expected: Version
    ) throws(EffectFailure) -> (Descriptor, FileStatus) {
        let file = try attempt(path) { workspace throws(Errno) in
            try workspace.directory.open(path, DirectoryHandle.reading)
        }
        file.leaveAccessTime()
        let status = try attempt(path) { _ throws(Errno) in try file.status() }
        guard versions.matches(status, expected, kind: .file) else { throw changed(path) }
        try refuseUnfinished(path, file, status)
        return (file, status)
    }

    /// Fails if a program is writing the file. If that cannot be determined, the file must not have changed for a
    /// while.
    private func refuseUnfinished(
        _ path: RelativePath, _ file: Descriptor, _ status: FileStatus
    ) throws(EffectFailure) {
        switch writers(file, versions.kind(of: status)) {
        case .idle: return
        case .unknown where versions.age(of: status) ?? .max >= Self.quiet: return
        case .busy, .unknown: break
        }
        throw EffectFailure(.busy, .beingWritten, side, path)
    }

    /// In nanoseconds; longer than clients of a network file system take to report a change.
    private static let quiet: Int64 = 5_000_000_000
}

/// A file on disk that is being read.
final class DiskSource: ContentSource {
    let file: Descriptor
    private let status: FileStatus
    private let path: RelativePath
    private let endpoint: DiskEndpoint
    private var offset: UInt64 = 0
    /// The end of the data from `offset` on; no hole begins before it.
    private var dataEnd: UInt64 = 0

    init(file: Descriptor, status: FileStatus, path: RelativePath, endpoint: DiskEndpoint) {
        self.file = file
        self.status = status
        self.path = path
        self.endpoint = endpoint
    }

    var size: Int64 { Int64(clamping: status.size) }
    var stored: Int64 { Int64(clamping: min(status.size, status.stored)) }
    var modified: Int64 { status.modified }
    var permissions: Permissions? { endpoint.versions.permissions(of: file, status) }

    var origin: TransferOrigin? {
        TransferOrigin(endpoint.side, path, endpoint.versions.version(of: status))
    }

    func settle() {
        let wait = endpoint.versions.remainingGrain(of: status)
        guard wait > 0 else { return }
        var time = timespec(tv_sec: Int(wait / 1_000_000_000), tv_nsec: Int(wait % 1_000_000_000))
        // If a signal ends the wait early, the version is still racy and is checked again later.
        nanosleep(&time, nil)
    }

    func linked() -> LinkedFile? {
        guard status.links > 1 else { return nil }
        let version = endpoint.versions.version(of: status)
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
        let count = try endpoint.attempt(path) { _ throws(Errno) in try file.read(into: part, at: offset) }
        offset += UInt64(count)
        return count
    }

    func hash() async throws(EffectFailure) -> ContentHash? {
        defer { (offset, dataEnd) = (0, 0) }
        return try await ContentTransfer.run(self, leaveOut: { _ in }, write: { _ in }).hash
    }

    func finish() throws(EffectFailure) -> Version {
        let now = try endpoint.attempt(path) { _ throws(Errno) in try file.status() }
        guard now.hasSameContents(as: status), now.changed == status.changed, offset == status.size else {
            throw endpoint.changed(path)
        }
        return endpoint.versions.version(of: now)
    }
}
