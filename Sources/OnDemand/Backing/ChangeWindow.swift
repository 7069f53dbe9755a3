internal import CFuse
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// A file that is open for changes of its contents and marks, whatever its permissions are.
///
/// The owner of a file may change its permissions but not the contents and attributes of one that is read-only. So its
/// permissions are wider meanwhile, and noted in the file itself: who finds the note after a crash restores them. The
/// caller has the item alone.
struct ChangeWindow: ~Copyable {
    let file: BackingFile
    /// The status before the permissions were changed.
    let before: fuse_attr
    /// The permissions that are restored at the end.
    private let mode: UInt32?

    private static let own: UInt32 = 0o600

    /// Opens what is at a place.
    init(_ place: BackingPlace) throws(Errno) {
        let item = try place.pin()
        let before = try item.status().attributes
        guard before.isFile else { throw .invalidArgument }
        let opened = try Self.open(item, before.mode & 0o7777)
        self.before = before
        file = opened.0
        mode = opened.1
    }

    private static func open(_ item: BackingFile, _ mode: UInt32) throws(Errno) -> (BackingFile, UInt32?) {
        do throws(Errno) {
            let file = try BackingPlace.itself(item).open(O_RDWR)
            return (file, try noted(in: file))
        } catch .permissionDenied {
            return try widen(item, mode)
        } catch {
            throw error
        }
    }

    private static func noted(in file: BackingFile) throws(Errno) -> UInt32? {
        try file.extended(Placeholder.modeAttribute, limit: 4).map { bytes in
            bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
    }

    private static func widen(_ item: BackingFile, _ mode: UInt32) throws(Errno) -> (BackingFile, UInt32) {
        try BackingPlace.itself(item).setMode(mode | own)
        do throws(Errno) {
            let file = try BackingPlace.itself(item).open(O_RDWR)
            try file.setExtended(Placeholder.modeAttribute, (0..<4).map { UInt8(truncatingIfNeeded: mode >> ($0 * 8)) })
            return (file, mode)
        } catch {
            try? BackingPlace.itself(item).setMode(mode)
            throw error
        }
    }

    deinit {
        guard let mode else { return }
        // What fails here is found by the next who opens the file so.
        try? file.removeExtended(Placeholder.modeAttribute)
        _ = fchmod(file.raw, mode)
    }
}
