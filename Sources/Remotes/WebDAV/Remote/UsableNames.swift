import Remotes
import SyncCore

/// The names that a server lists unchanged: an item that is not listed would count as deleted.
struct UsableNames: Sendable {
    private let known: KnownTraits
    /// Characters with a special meaning in an address.
    private static let special = Set("%?#;".utf8)

    init(_ known: KnownTraits) { self.known = known }

    /// Refuses a path that contains an unusable name.
    func require(_ path: RelativePath) throws(EffectFailure) {
        let traits = known.current
        if traits.hidesDotFiles, path.names.contains(where: { $0.bytes.first == UInt8(ascii: ".") }) {
            throw EffectFailure(.nameClash, Explanation(ServerCode.hiddenName, .remote, "\(path)"))
        }
        if !traits.keepsNamesInMoves, path.names.contains(where: { !Self.special.isDisjoint(with: $0.bytes) }) {
            throw EffectFailure(.nameClash, Explanation(.unusableName, .remote, "\(path)"))
        }
    }
}
