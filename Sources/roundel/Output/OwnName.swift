/// The names of what Roundel keeps for itself beside the items of people: `.roundel`, and those that begin with `.roundel-`
/// and what they are for.
enum OwnName {
    private static let directory = Array(".roundel".utf8)
    private static let prefixes = [".roundel-stage-", ".roundel-move-", ".roundel-contents-"].map { Array($0.utf8) }

    static func isOne(_ name: some Sequence<UInt8>) -> Bool {
        let name = Array(name)
        return name == directory || prefixes.contains { name.starts(with: $0) }
    }
}
