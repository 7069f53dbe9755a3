import Glibc
internal import Support
import SyncCore
import SystemPackage

/// A version that the engine replaced or removed, and keeps for a while.
struct ReplacedVersion: Sendable {
    /// Its name in the store.
    var identifier: EntryName
    /// Its former path below the folder's root.
    var path: RelativePath
    /// When it was replaced, in seconds since 1970.
    var date: Int64
    /// The count of ``LivedTime`` when it was replaced; nil if it is not known.
    var lived: Int64?
    /// The size in bytes.
    var size: UInt64
    /// The room that it takes: less than its size if it has holes.
    var room: UInt64
    /// When it entered the store, by the clock of its file system, in nanoseconds since 1970: orders versions of the
    /// same second.
    var stored: Int64 = 0
    /// Why it was replaced or removed.
    var reason = KeptVersion.Reason.replaced
    /// The permission bits of a directory.
    var directoryMode: UInt32?
    /// Whether its note may exist, but cannot be read now: how old it is shows later.
    var isUnclear = false
}

/// Replaced or removed versions, each beside a note with its former path, so that it can be restored without a
/// database.
final class ReplacedStore: Sendable {
    /// How long and how much to keep.
    struct Limits: Sendable {
        /// In seconds of the machine's running time; 30 days.
        var age: Int64 = 30 * 86_400
        /// In bytes that are stored; 1 GiB.
        var size: UInt64 = 1 << 30
        /// The number of versions: their notes are read whenever they are listed.
        var count = 20_000

        func areExceeded(by amount: Amount) -> Bool { amount.bytes > size || amount.versions > count }

        /// What stays of this much. What exceeds a limit goes down to a little below it, since each time all notes are
        /// read.
        func goal(from amount: Amount) -> Limits {
            Limits(
                age: age, size: amount.bytes > size ? size - size / 16 : size,
                count: amount.versions > count ? count - count / 8 : count)
        }
    }

    /// How much a store holds.
    struct Amount: Sendable, Equatable {
        /// In bytes that are stored.
        var bytes: UInt64 = 0
        var versions = 0
    }

    let directory: DirectoryHandle
    let limits: Limits
    private let clock: LivedClock
    private let kind: DiskKind?

    /// - Parameters:
    ///   - clock: The clock by which the versions age.
    ///   - kind: The kind of file system that the directory is on; nil to ask the file system when it matters.
    init(
        _ directory: DirectoryHandle, agingBy clock: LivedClock, limits: Limits = Limits(), on kind: DiskKind? = nil
    ) {
        self.directory = directory
        self.clock = clock
        self.limits = limits
        self.kind = kind
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

    /// Opens the note on a version.
    func openNote(_ identifier: EntryName) throws(Errno) -> Descriptor {
        try directory.open(Self.note(identifier), O_RDONLY)
    }

    /// Makes the note on a version durable, before it is needed to recognise the version.
    func makeDurable(_ identifier: EntryName) throws(Errno) {
        try openNote(identifier).synchronize()
        try directory.descriptor.synchronize()
    }

    /// Keeps what has taken a version's place in the store since the announcement as a version of its own. It is later
    /// placed beside the former path, under the name that the version was to get.
    func keepPlaceholder(_ identifier: EntryName) throws(Errno) {
        guard var note = note(of: identifier).known else { return }
        note.placeholder = 0
        try write(note, on: identifier)
    }

    /// Writes the note on a version, in place of an earlier one.
    private func write(_ note: KeptNote, on identifier: EntryName) throws(Errno) {
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

    /// Removes a version and its note.
    func discard(_ identifier: EntryName) throws(Errno) {
        do {
            try directory.removeFile(identifier)
        } catch Errno.noSuchFileOrDirectory {
            // Only its note exists.
        } catch {
            throw error
        }
        // A version may lack a note.
        try? directory.removeFile(Self.note(identifier))
    }

    /// Removes a version that is no longer kept, and its note; of a directory, everything in it. One is here if the power
    /// failed in a conflict and its place was gone afterwards.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    func expire(_ identifier: EntryName) throws(Errno) -> Bool {
        var isFound = true
        do throws(Errno) {
            try directory.removeTree(identifier)
        } catch .noSuchFileOrDirectory {
            // Only its note exists.
            isFound = false
        }
        let isNoted = (try? directory.removeFile(Self.note(identifier))) != nil
        return isFound || isNoted
    }

    /// Every version kept, the oldest first. One without a readable note is listed under its identifier.
    func versions() throws(Errno) -> [ReplacedVersion] {
        let names = Set(try directory.names())
        let keepsInodes = keepsInodes
        var versions: [ReplacedVersion] = []
        for name in names {
            if let identifier = Self.identifier(ofNote: name) {
                guard !names.contains(identifier), let note = note(of: identifier).known, note.directoryMode != nil
                else { continue }
                let stored = (try? directory.status(of: name))?.changed ?? 0
                versions.append(Self.version(identifier, note, size: 0, room: 0, stored: stored))
                continue
            }
            guard let status = try? directory.status(of: name) else { continue }
            let read = note(of: name)
            if keepsInodes, read.known?.placeholder == status.inode { continue }
            let note = read.known ?? Self.nothingKnown(of: name, stored: status.changed)
            var version = Self.version(name, note, size: status.size, room: status.room, stored: status.changed)
            version.isUnclear = read.isUnclear
            versions.append(version)
        }
        return versions.sorted { ($0.date, $0.stored, $0.identifier) < ($1.date, $1.stored, $1.identifier) }
    }

    /// The note on a version of which nothing is known but when it entered the store.
    private static func nothingKnown(of identifier: EntryName, stored: Int64) -> KeptNote {
        KeptNote(RelativePath([identifier]), .replaced, date: stored.floorDivided(by: 1_000_000_000))
    }

    private static func version(
        _ identifier: EntryName, _ note: KeptNote, size: UInt64, room: UInt64, stored: Int64
    ) -> ReplacedVersion {
        ReplacedVersion(
            identifier: identifier, path: note.path, date: note.date, lived: note.lived, size: size, room: room,
            stored: stored, reason: note.reason, directoryMode: note.directoryMode)
    }

    /// Removes versions that are too old or larger than all may be together; then, if the rest exceeds the size or the
    /// number, the oldest until it is a little below; returns how much is still kept. A version whose age is not known
    /// starts to age now; one with a note that cannot be read now remains.
    func prune() throws(Errno) -> Amount {
        let now = lived()
        clock.save()
        let versions = try versions()
        let held = versions.filter { $0.room <= limits.size }
        var left = Amount(bytes: held.reduce(0) { $0 + $1.room }, versions: held.count)
        let goal = limits.goal(from: left)
        for version in versions where !version.isUnclear {
            let isTooOld = version.lived.map { $0 + limits.age < now } ?? false
            if version.room > limits.size {
                try expire(version.identifier)
            } else if isTooOld || goal.areExceeded(by: left) {
                left.bytes -= version.room
                left.versions -= 1
                try expire(version.identifier)
            } else if version.lived == nil {
                startAgeing(version, at: now)
            }
        }
        return left
    }

    /// Notes that a version entered the store now, because nothing tells when it did. After a power failure notes may
    /// be empty, and a version must not pay for that with its life.
    private func startAgeing(_ version: ReplacedVersion, at now: Int64) {
        let read = note(of: version.identifier)
        if read.isUnclear { return }
        var note = read.known ?? Self.nothingKnown(of: version.identifier, stored: version.stored)
        note.lived = now
        // If that fails, it remains, and starts to age another time.
        try? write(note, on: version.identifier)
    }

    /// The present count of the clock by which the versions age.
    private func lived() -> Int64 {
        clock.seconds { ((try? versions()) ?? []).compactMap(\.lived).max() ?? 0 }
    }

    /// The versions that may give way, the oldest first.
    ///
    /// - Parameter recent: Versions to keep, because it is not certain yet that the right ones were put away.
    func removable(except recent: Set<EntryName>) throws(Errno) -> [ReplacedVersion] {
        try versions().filter { !$0.isUnclear && !recent.contains($0.identifier) }
    }

    /// Removes the oldest versions until this many bytes are freed; returns how many were, 0 if there was nothing to
    /// remove.
    ///
    /// - Parameters:
    ///   - recent: As of ``removable(except:)``.
    ///   - onlyIfEnough: Whether nothing is removed unless all of it together frees as much: what never fits costs no
    ///     version.
    func makeRoom(
        for bytes: UInt64, except recent: Set<EntryName>, onlyIfEnough: Bool = false
    ) throws(Errno) -> UInt64 {
        var removable = try removable(except: recent)
        if onlyIfEnough {
            let room = removable.reduce(Int64(0)) { $0.addingClamped(Int64(clamping: $1.room)) }
            if UInt64(room) < bytes { return 0 }
        }
        return makeRoom(for: bytes, from: &removable)
    }

    /// Removes the first of these versions until this many bytes are freed; returns how many were. Those that are gone
    /// already free nothing.
    func makeRoom(for bytes: UInt64, from removable: inout [ReplacedVersion]) -> UInt64 {
        var freed: UInt64 = 0
        var count = 0
        for version in removable {
            if freed >= max(bytes, 1) { break }
            count += 1
            guard (try? expire(version.identifier)) == true else { continue }
            freed += max(version.room, Self.roomOfNote)
        }
        removable.removeFirst(count)
        return freed
    }

    /// In bytes: the room that a note takes, and a name.
    private static let roomOfNote: UInt64 = 4096

    /// Removes the remains of an interrupted exchange. Call it only while nothing is being put into the store.
    func removeLeftovers() throws(Errno) {
        let names = Set(try directory.names())
        let keepsInodes = keepsInodes
        for name in names {
            if let identifier = Self.identifier(ofNote: name) {
                guard !names.contains(identifier) else { continue }
                let note = note(of: identifier)
                if note.isUnclear || note.known?.directoryMode != nil { continue }
                try? directory.removeFile(name)
            } else if keepsInodes, let note = note(of: name).known, let status = try? directory.status(of: name),
                note.placeholder == status.inode
            {
                if status.kind == .directory { try? directory.removeDirectory(name) }
                try? discard(name)
            }
        }
    }

    /// Moves items that were being displaced in a conflict when the power failed to the names beside their former
    /// places. An item whose directory is gone remains here as a kept version.
    ///
    /// - Parameter prefix: The path of `root` below the root that the notes' paths are relative to.
    func finishDisplacements(below root: DirectoryHandle, at prefix: RelativePath) throws(Errno) {
        for name in try directory.names() where Self.identifier(ofNote: name) == nil {
            guard let note = note(of: name).known, let beside = note.beside,
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

    /// Whether the inode of a placeholder identifies it. Where inode numbers are made up, a version may have the
    /// number that was noted for a placeholder, and must not be taken for one.
    private var keepsInodes: Bool { (kind ?? (try? DiskKind(of: directory.descriptor)))?.keepsInodes ?? false }

    /// What was found where the note on a version should be.
    private enum NoteReading {
        case known(KeptNote)
        /// There is no note, or a text that is none.
        case none
        /// There may be one, but it cannot be read now: the disk failed, a server is away, or too many files are open.
        case unclear

        var known: KeptNote? {
            switch self {
            case .known(let note): note
            case .none, .unclear: nil
            }
        }

        var isUnclear: Bool {
            switch self {
            case .unclear: true
            case .known, .none: false
            }
        }
    }

    private func note(of identifier: EntryName) -> NoteReading {
        do throws(Errno) {
            let text = try directory.open(Self.note(identifier), DirectoryHandle.reading).readAll(limit: 64 << 10)
            return KeptNote(text).map { .known($0) } ?? .none
        } catch .noSuchFileOrDirectory, .fileNameTooLong {
            return .none
        } catch {
            return .unclear
        }
    }
}
