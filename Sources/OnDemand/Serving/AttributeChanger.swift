internal import CFuse
internal import CLinux
internal import Glibc
internal import SystemPackage

/// Changes attributes of items behind the mounted folder.
struct AttributeChanger: Sendable {
    /// What times of utimensat(2) say that it is now.
    private static let now = (1 << 30) - 1

    /// Applies a change; gives the status then.
    ///
    /// - Parameter place: Where the item is; for a change by a handle, that.
    func apply(_ change: AttributeChange, to place: BackingPlace) throws(Errno) -> cfuse_item {
        if change.owner != nil || change.group != nil { try setOwner(change, of: place) }
        if let mode = change.mode { try place.setMode(mode) }
        if let size = change.size { try setSize(size, change.handle, of: place) }
        if change.accessed != nil || change.modified != nil { try setTimes(change, of: place) }
        return try place.status()
    }

    private func setOwner(_ change: AttributeChange, of place: BackingPlace) throws(Errno) {
        let (owner, group) = (change.owner ?? .max, change.group ?? .max)
        try checked {
            place.withPath { isEntry, path in isEntry ? lchown(path, owner, group) : chown(path, owner, group) }
        }
    }

    private func setSize(_ size: UInt64, _ handle: Int32?, of place: BackingPlace) throws(Errno) {
        // Who opened it for writing may do so still, whatever its permissions are now.
        if let handle { return try BackingFile(borrowing: handle).setSize(size) }
        guard let size = off_t(exactly: size) else { throw .fileTooLarge }
        // Not by a descriptor, which changes the date also where the size stays.
        try checked { place.withPath { truncate($1, size) } }
    }

    private func setTimes(_ change: AttributeChange, of place: BackingPlace) throws(Errno) {
        let times = [Self.time(change.accessed), Self.time(change.modified)]
        try checked {
            place.withPath { isEntry, path in utimensat(AT_FDCWD, path, times, isEntry ? AT_SYMLINK_NOFOLLOW : 0) }
        }
    }

    private static func time(_ time: AttributeChange.Time?) -> timespec {
        switch time {
        case nil: timespec(tv_sec: 0, tv_nsec: CLINUX_UTIME_OMIT)
        case .now: timespec(tv_sec: 0, tv_nsec: now)
        case .at(let seconds, let nanoseconds): timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
        }
    }
}
