import SyncCore
import SyncEngine
import Synchronization

/// The engine's own directory on a remote: the mark of the root, and what is staged before it gets its name.
///
/// Several installations may use one remote, each with a directory of its own in it.
final class RcloneArea: Sendable {
    /// The name in the root; never synced, whatever it holds.
    static let name = EntryName.constant(".roundel")
    /// Where it is.
    static let path = RelativePath([name])
    /// Where a directory is there only because something is in it, this is; never synced, as all names that begin so.
    static let keeper = EntryName.constant(".roundel-stage-directory")
    /// Begins the name of the file that is the mark of the root. Reading a name is one question; reading contents is more.
    private static let markPrefix = "root-"
    private static let markLength = 32

    /// Where this installation stages.
    let staging: RelativePath
    /// Begins the names of this run; those of earlier ones begin otherwise.
    let session = RandomName.component(prefix: "s").description
    private let count = Mutex<UInt64>(0)

    /// - Parameter owner: The folder that is synced.
    init(owner: EntryName) { staging = RelativePath([Self.name, owner, .constant("staging")]) }

    /// A place for something that is to have no name of a person's for a while.
    func newPlace() -> RelativePath {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return staging.appending(EntryName("\(session)-\(number)") ?? .constant("staged"))
    }

    /// Where a mark stands.
    static func place(ofMark mark: String) -> RelativePath {
        path.appending(EntryName(markPrefix + mark) ?? .constant("root"))
    }

    /// The mark among the names of the directory; nil if there is none. Of several, which two installations gave the root at
    /// the same time, both take the same one.
    static func mark(among names: [String]) -> String? {
        names.compactMap { name in
            guard name.hasPrefix(markPrefix) else { return nil }
            let mark = name.dropFirst(markPrefix.count)
            return mark.utf8.count == markLength && mark.allSatisfy(\.isHexDigit) ? String(mark) : nil
        }.min()
    }

    /// Whether an item is the engine's.
    static func holds(_ path: RelativePath) -> Bool {
        path.names.first == name || path.name == keeper
    }
}
