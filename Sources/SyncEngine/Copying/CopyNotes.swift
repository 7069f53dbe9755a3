import Glibc
import Support
import SyncCore
package import SystemPackage

/// Notes of copies that are not complete yet, so that what a program that was killed left of one is removed. Each is a file
/// with the name that the copy has until it is complete, which holds the path of its directory and which directory that is.
package struct CopyNotes: Sendable {
    private let directory: FilePath

    /// The prefix of the names of copies that are not complete.
    static let prefix = ".roundel-stage-"

    /// Notes in a directory, which is made when it is needed.
    package init(in directory: FilePath) { self.directory = directory }

    /// The notes of a program that has ended, while no copy is begun. May block for a moment.
    package var left: [String] {
        guard let notes = try? DirectoryHandle(absolute: directory) else { return [] }
        return ((try? notes.names()) ?? []).map { "\($0)" }.filter { $0.hasPrefix(Self.prefix) }
    }

    /// Removes the copies of these notes, which may block. A note stays, for a month, whose copy cannot be removed now or may
    /// be where a disk or a folder is not mounted now.
    ///
    /// - Returns: The notes that stay.
    package func removeCopies(_ left: [String]) -> [String] {
        left.filter { text in
            guard let name = EntryName(Array(text.utf8)) else { return false }
            let stays = !removeCopy(name) && !isOld(name)
            if !stays { forget(name) }
            return stays
        }
    }

    /// Removes what is left of a copy; gives whether it is known that there is nothing any more.
    private func removeCopy(_ name: EntryName) -> Bool {
        do throws(Errno) {
            guard let bytes = try SmallFile.read(directory.appending("\(name)"), limit: Self.limit) else { return true }
            let parts = bytes.split(separator: 0, maxSplits: 1)
            guard let path = parts.first else { return false }
            let place = try DirectoryHandle(
                absolute: FilePath(platformString: path.map { CChar(bitPattern: $0) } + [0]))
            do throws(Errno) {
                try place.removeCopy(name)
                return true
            } catch .noSuchFileOrDirectory {
                // A directory on which something is not mounted now is empty as well.
                return try parts.last.map(Array.init) == Self.identity(of: place.descriptor.status())
            }
        } catch {
            return false
        }
    }

    /// What tells a directory from any other that has its path at some time.
    private static func identity(of status: FileStatus) -> [UInt8] { Array("\(status.device) \(status.inode)".utf8) }

    /// Whether a note was made so long ago that it is given up.
    private func isOld(_ name: EntryName) -> Bool {
        var status = stat()
        guard directory.appending("\(name)").withPlatformString({ stat($0, &status) }) == 0 else { return true }
        return time(nil) - status.st_mtim.tv_sec > Self.lifetime
    }

    /// In seconds.
    private static let lifetime = 30 * 86_400
    /// The largest note, in bytes.
    private static let limit = Int(PATH_MAX) + 64

    /// Notes a copy that is about to be begun. Without a note it is made nevertheless.
    func note(_ name: EntryName, in target: DirectoryHandle) {
        guard let place = target.place else { return }
        let identity = (try? target.descriptor.status()).map(Self.identity(of:)) ?? []
        do throws(Errno) {
            try SmallFile.replace(directory.appending("\(name)"), with: place.bytes + [0] + identity)
        } catch {
            log(.warning, "\(directory): \(error)")
        }
    }

    /// The copy is complete, or was removed.
    func forget(_ name: EntryName) { _ = directory.appending("\(name)").withPlatformString { unlink($0) } }
}
