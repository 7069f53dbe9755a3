internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// Looks whether contents are here, also where the permissions of a file keep its owner from reading its attributes.
enum ContentsSight {
    /// What stands in the place of contents; nil if they are here.
    ///
    /// A mark that was left when the file was emptied, because this program was killed then, is removed before anybody
    /// writes: with the size that it names, what they wrote would be taken for a placeholder.
    static func placeholder(of file: BackingFile, at place: BackingPlace) throws(Errno) -> Placeholder? {
        let mark: PlaceholderMark?
        do throws(Errno) {
            mark = try file.mark()
        } catch .permissionDenied {
            mark = try readable(place).mark()
        } catch {
            throw error
        }
        guard let mark else { return nil }
        return try current(mark, try file.status().attributes.size, place)
    }

    /// The same for what is not open, and may be no file at all.
    static func placeholder(at place: BackingPlace) throws(Errno) -> Placeholder? {
        let status = try place.status().attributes
        guard status.isFile else { return nil }
        return try current(try mark(at: place), status.size, place)
    }

    private static func current(
        _ mark: PlaceholderMark?, _ size: UInt64, _ place: BackingPlace
    ) throws(Errno) -> Placeholder? {
        guard let mark else { return nil }
        if let placeholder = mark.placeholder(ofSize: size) { return placeholder }
        try unmark(place)
        return nil
    }

    private static func mark(at place: BackingPlace) throws(Errno) -> PlaceholderMark? {
        var value = [UInt8](repeating: 0, count: PlaceholderMark.limit)
        do throws(Errno) {
            let count = try checked {
                place.withPath { isEntry, path in
                    isEntry
                        ? lgetxattr(path, Placeholder.attribute, &value, value.count)
                        : getxattr(path, Placeholder.attribute, &value, value.count)
                }
            }
            guard let mark = PlaceholderMark(Array(value.prefix(count))) else { throw .ioError }
            return mark
        } catch .noData, .notSupported {
            return nil
        } catch .permissionDenied {
            return try readable(place).mark()
        } catch {
            throw error
        }
    }

    /// Takes the mark from a file whose contents are here.
    static func unmark(_ place: BackingPlace) throws(Errno) {
        do throws(Errno) {
            try checked {
                place.withPath { isEntry, path in
                    isEntry
                        ? lremovexattr(path, Placeholder.attribute) : removexattr(path, Placeholder.attribute)
                }
            }
        } catch .noData {
            return
        } catch .permissionDenied {
            try ChangeWindow(place).file.removeExtended(Placeholder.attribute)
        } catch {
            throw error
        }
    }

    /// The file, open for reading although it must not be read: its permissions are wider for a moment.
    private static func readable(_ place: BackingPlace) throws(Errno) -> BackingFile {
        let item = try place.pin()
        let mode = try item.status().attributes.mode & 0o7777
        try BackingPlace.itself(item).setMode(mode | 0o400)
        defer { try? BackingPlace.itself(item).setMode(mode) }
        return try BackingPlace.itself(item).open(O_RDONLY)
    }
}
