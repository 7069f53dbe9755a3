import SyncCore

/// The names under which a server would show an item again: what is not shown counts as deleted.
struct UsableNames: Sendable {
    private let known: KnownTraits
    /// What has a meaning in an address.
    private static let special = Set("%?#;".utf8)

    init(_ known: KnownTraits) { self.known = known }

    /// Refuses a path with a name that is none of them.
    func require(_ path: RelativePath) throws(EffectFailure) {
        let traits = known.current
        if traits.hidesDotFiles, path.names.contains(where: { $0.bytes.first == UInt8(ascii: ".") }) {
            throw EffectFailure(.nameClash, Explanation(.hiddenName, .remote, "\(path)"))
        }
        if !traits.keepsNamesInMoves, path.names.contains(where: { !Self.special.isDisjoint(with: $0.bytes) }) {
            throw EffectFailure(.nameClash, Explanation(.unusableName, .remote, "\(path)"))
        }
    }
}
