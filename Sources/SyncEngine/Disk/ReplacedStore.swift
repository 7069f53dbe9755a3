import Glibc
import SyncCore
import SystemPackage

/// One version that the engine replaced or removed, and keeps for a while.
struct ReplacedVersion: Sendable {
    /// The name under which it is kept.
    var identifier: EntryName
    /// Where it was, relative to the folder's root.
    var path: RelativePath
    /// When it was replaced, in seconds since 1970.
    var date: Int64
    /// What ``LivedTime`` had counted when it was replaced; 0 where that is not known.
    var lived: Int64 = 0
    /// In bytes.
    var size: UInt64
    /// When it came to the store by the clock of its file system, in nanoseconds since 1970: orders what went within one
    /// second.
    var stored: Int64 = 0
    /// Why it went.
    var reason = KeptVersion.Reason.replaced
    /// Of a directory its permission bits.
    var directoryMode: UInt32?
}

/// Versions that were replaced or removed, each beside a text that says where it stood: restorable also without a
/// database.
final class ReplacedStore: Sendable {
    /// How long and how much is kept.
    struct Limits: Sendable {
        /// In seconds that the machine has run; 30 days.
        var age: Int64 = 30 * 86_400
        /// In bytes; 1 GiB.
        var size: UInt64 = 1 << 30
    }

    let directory: DirectoryHandle
    let limits: Limits
    private let clock: LivedClock

    /// - Parameter clock: what the versions age by.
    init(_ directory: DirectoryHandle, agingBy clock: LivedClock, limits: Limits = Limits()) {
        self.directory = directory
        self.clock = clock
        self.limits = limits
    }

    private static let suffix = ".info"

    /// The name of the note on a version.
    static func note(_ identifier: EntryName) -> EntryName {
        EntryName(identifier.bytes + Array(suffix.utf8)) ?? identifier
    }

    /// Notes that a version is about to be kept under the identifier returned.
    func announce(_ note: KeptNote) throws(Errno) -> EntryName {
        var note = note
        note.lived = lived()
        let identifier = RandomName.component()
        let name = Self.note(identifier)
        do throws(Errno) {
            let file = try directory.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
            try file.writeAll(Array(note.text.utf8))
        } catch {
            try? directory.removeFile(name)
            throw error
        }
        return identifier
    }

    /// The note on a version, opened.
    func openNote(_ identifier: EntryName) throws(Errno) -> Descriptor {
        try directory.open(Self.note(identifier), O_RDONLY)
    }

    /// Makes the note on a version durable, before it is needed to tell whose the version is.
    func makeDurable(_ identifier: EntryName) throws(Errno) {
        try openNote(identifier).synchronize()
        try directory.descriptor.synchronize()
    }

    /// What stands in the place of a version since it was announced is kept as one, and gets the place beside its name
    /// that the version was to get.
    func keepPlaceholder(_ identifier: EntryName) throws(Errno) {
        guard var note = note(of: identifier) else { return }
        note.placeholder = 0
        let other = Self.note(RandomName.component())
        let file = try directory.open(other, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        do throws(Errno) {
            try file.writeAll(Array(note.text.utf8))
            try file.synchronize()
            try directory.rename(other, to: Self.note(identifier), in: directory)
            try directory.descriptor.synchronize()
        } catch {
            try? directory.removeFile(other)
            throw error
        }
    }

    /// Removes a version and what is said of it.
    func discard(_ identifier: EntryName) throws(Errno) {
        do {
            try directory.removeFile(identifier)
        } catch Errno.noSuchFileOrDirectory {
            // Only its announcement stands there.
        } catch {
            throw error
        }
        // A version without its text has none to remove.
        try? directory.removeFile(Self.note(identifier))
    }

    /// Every version kept, the oldest first. One whose text cannot be read is told under its identifier.
    func versions() throws(Errno) -> [ReplacedVersion] {
        let names = Set(try directory.names())
        var versions: [ReplacedVersion] = []
        for name in names {
            if let identifier = Self.identifier(ofNote: name) {
                guard !names.contains(identifier), let note = note(of: identifier), note.directoryMode != nil else {
                    continue
                }
                let stored = (try? directory.status(of: name))?.changed ?? 0
                versions.append(Self.version(identifier, note, size: 0, stored: stored))
                continue
            }
            guard let status = try? directory.status(of: name) else { continue }
            let note = note(of: name)
            if note?.placeholder == status.inode { continue }
            let nothingKnown = KeptNote(
                RelativePath([name]), .replaced, date: status.changed.floorDivided(by: 1_000_000_000))
            versions.append(Self.version(name, note ?? nothingKnown, size: status.size, stored: status.changed))
        }
        return versions.sorted { ($0.date, $0.stored, $0.identifier) < ($1.date, $1.stored, $1.identifier) }
    }

    private static func version(
        _ identifier: EntryName, _ note: KeptNote, size: UInt64, stored: Int64
    ) -> ReplacedVersion {
        ReplacedVersion(
            identifier: identifier, path: note.path, date: note.date, lived: note.lived, size: size, stored: stored,
            reason: note.reason, directoryMode: note.directoryMode)
    }

    /// Removes what is too old, then the oldest until the rest is within the size; returns the bytes that are kept.
    func prune() throws(Errno) -> UInt64 {
        let now = lived()
        clock.save()
        let versions = try versions()
        var size = versions.reduce(0) { $0 + $1.size }
        for version in versions where version.lived + limits.age < now || size > limits.size {
            size -= version.size
            try discard(version.identifier)
        }
        return size
    }

    /// What the versions age by, now.
    private func lived() -> Int64 {
        clock.seconds { ((try? versions()) ?? []).map(\.lived).max() ?? 0 }
    }

    /// Removes the oldest versions until as many bytes are freed; false if there was nothing to remove.
    ///
    /// - Parameter recent: Versions that stay, as nothing says yet that they are what was meant to go.
    func makeRoom(for bytes: UInt64, except recent: Set<EntryName>) throws(Errno) -> Bool {
        var freed: UInt64 = 0
        for version in try versions() where freed < max(bytes, 1) && !recent.contains(version.identifier) {
            try discard(version.identifier)
            freed += max(version.size, 1)
        }
        return freed > 0
    }

    /// Removes what an interrupted exchange left. Only while nothing is being kept.
    func removeLeftovers() throws(Errno) {
        let names = Set(try directory.names())
        for name in names {
            if let identifier = Self.identifier(ofNote: name) {
                guard !names.contains(identifier), note(of: identifier)?.directoryMode == nil else { continue }
                try? directory.removeFile(name)
            } else if let note = note(of: name), let status = try? directory.status(of: name),
                note.placeholder == status.inode
            {
                if status.kind == .directory { try? directory.removeDirectory(name) }
                try? discard(name)
            }
        }
    }

    /// Sets beside its place what gave way in a conflict when the machine stopped. What cannot stand there, as nothing
    /// is left of the place, stays here as a kept version.
    ///
    /// - Parameter prefix: Where `root` is below the root to which the notes' paths are relative.
    func finishDisplacements(below root: DirectoryHandle, at prefix: RelativePath) throws(Errno) {
        for name in try directory.names() where Self.identifier(ofNote: name) == nil {
            guard let note = note(of: name), let beside = note.beside,
                note.path.names.starts(with: prefix.names)
            else { continue }
            let place = RelativePath(Array(note.path.parent.names.dropFirst(prefix.names.count)))
            if let parent = try? root.directory(at: place),
                (try? directory.renameWithoutReplacing(name, to: beside, in: parent)) != nil
            {
                try parent.descriptor.synchronize()
                try directory.descriptor.synchronize()
                try discard(name)
            }
        }
    }

    private static func identifier(ofNote name: EntryName) -> EntryName? {
        guard name.bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { return nil }
        return EntryName(Array(name.bytes.dropLast(suffix.utf8.count)))
    }

    private func note(of identifier: EntryName) -> KeptNote? {
        try? KeptNote(directory.open(Self.note(identifier), O_RDONLY).readAll(limit: 64 << 10))
    }
}
