import SyncCore
import SyncEngine
import Synchronization

/// The engine's own collection on a server: the mark of the root, and what is staged before it gets its name.
///
/// Several installations may use one server, each with a collection of its own in it.
final class ServerArea: Sendable {
    /// The name in the root; never synced, whatever it holds.
    static let name = EntryName.constant(".roundel")
    /// The mark of the root.
    static let mark = RelativePath([name, .constant("root")])
    /// Bytes of a mark: hexadecimal digits.
    static let markLength = 32

    /// Where this installation stages.
    let staging: RelativePath
    /// The collections that lead there, the outermost first.
    let collections: [RelativePath]
    /// Begins the names of this run; those of earlier ones begin otherwise.
    let session = RandomName.component(prefix: "s").description
    private let count = Mutex<UInt64>(0)

    /// - Parameter owner: The folder that is synced.
    init(owner: EntryName) {
        let own = RelativePath([Self.name, owner])
        staging = own.appending(.constant("staging"))
        collections = [RelativePath([Self.name]), own, staging]
    }

    /// A place for something that is to have no name of a person's for a while.
    func newPlace() -> RelativePath {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return staging.appending(EntryName("\(session)-\(number)") ?? .constant("staged"))
    }
}
