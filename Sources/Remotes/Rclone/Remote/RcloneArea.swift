import SyncCore
import SyncEngine
import Synchronization

/// The engine's own directory on a remote: it holds the mark of the root, and staged files before they get their names.
///
/// Several installations may use one remote; each has its own directory in it.
final class RcloneArea: Sendable {
    /// Its name in the root; never synced, whatever it contains.
    static let name = EntryName.constant(".roundel")
    /// Its path.
    static let path = RelativePath([name])
    /// A file that keeps a directory in existence on backends without empty directories; never synced, like all names
    /// with this prefix.
    static let keeper = EntryName.constant(".roundel-stage-directory")
    /// The prefix of the file name that is the mark of the root. A name can be read with one request, contents would
    /// take more.
    private static let markPrefix = "root-"
    private static let markLength = 32

    /// The directory in which this installation stages files.
    let staging: RelativePath
    /// The prefix of this run's names; earlier runs used others.
    let session = RandomName.component(prefix: "s").description
    private let count = Mutex<UInt64>(0)

    /// - Parameter owner: The synced folder.
    init(owner: EntryName) { staging = RelativePath([Self.name, owner, .constant("staging")]) }

    /// A new place for an item that has no final name for a while.
    func newPlace() -> RelativePath {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return staging.appending(EntryName("\(session)-\(number)") ?? .constant("staged"))
    }

    /// The path of a mark.
    static func place(ofMark mark: String) -> RelativePath {
        path.appending(EntryName(markPrefix + mark) ?? .constant("root"))
    }

    /// The mark among the names in the directory; nil if there is none. If two installations gave the root a mark at
    /// the same time, both choose the same one.
    static func mark(among names: [String]) -> String? {
        names.compactMap { name in
            guard name.hasPrefix(markPrefix) else { return nil }
            let mark = name.dropFirst(markPrefix.count)
            return mark.utf8.count == markLength && mark.allSatisfy(\.isHexDigit) ? String(mark) : nil
        }.min()
    }

    /// Whether an item belongs to the engine.
    static func holds(_ path: RelativePath) -> Bool {
        path.names.first == name || path.name == keeper
    }
}
