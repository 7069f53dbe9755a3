import Glibc
import Support
import SyncCore
package import SystemPackage

/// Notes of copies that are not complete yet, so that what a program that was killed left of one is removed. Each is a file
/// with the name that the copy has until it is complete, which holds the path of its directory.
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

    /// Removes the copies of these notes, which may block. A note stays whose directory cannot be reached now.
    package func removeCopies(_ left: [String]) {
        for text in left {
            guard let name = EntryName(Array(text.utf8)),
                let bytes = try? SmallFile.read(directory.appending(text), limit: Int(PATH_MAX))
            else { continue }
            let place = FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
            do throws(Errno) { try DirectoryHandle(absolute: place).removeCopy(name) } catch {
                if error != .noSuchFileOrDirectory && error != .notDirectory { continue }
            }
            forget(name)
        }
    }

    /// Notes a copy that is about to be begun. Without a note it is made nevertheless.
    func note(_ name: EntryName, in target: DirectoryHandle) {
        guard let place = target.place else { return }
        do throws(Errno) { try SmallFile.replace(directory.appending("\(name)"), with: place.bytes) } catch {
            log(.warning, "\(directory): \(error)")
        }
    }

    /// The copy is complete, or was removed.
    func forget(_ name: EntryName) { _ = directory.appending("\(name)").withPlatformString { unlink($0) } }
}
