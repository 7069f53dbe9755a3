/// The settings of a repository that would start programs, and what is said instead.
///
/// A repository may come from anybody, in an archive or on a disk, and git starts what its own settings name. Programs
/// that the person's own settings name, such as those of Git LFS, still run.
package struct ForeignSettings: Sendable {
    /// A setting that outranks all others, of any bytes.
    package struct Override: Equatable, Sendable {
        package let name: [UInt8]
        package let value: [UInt8]

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (Array(name.utf8), Array(value.utf8))
        }

        fileprivate init(bytes name: [UInt8], _ value: [UInt8]) { (self.name, self.value) = (name, value) }
    }

    /// What is said instead of the repository's own filters.
    package let overrides: [Override]
    /// Whether the repository has filters of its own. Without them what it stages and checks out would be wrong.
    package let hasOwnFilters: Bool

    /// What is said of every repository.
    package static let always = [
        Override("core.fsmonitor", "false"), Override("core.hooksPath", "/dev/null"),
        Override("core.sshCommand", "false"), Override("protocol.allow", "never"),
        Override("safe.bareRepository", "explicit"), Override("submodule.recurse", "false"), Override("gc.auto", "0"),
        Override("maintenance.auto", "false"),
    ]

    /// - Parameter list: What `git config --list --show-scope -z` printed in the repository.
    package init(_ list: some Sequence<UInt8>) {
        let words = list.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
        var own: [[UInt8]: [UInt8]] = [:]
        var persons: [[UInt8]: [UInt8]] = [:]
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            let parts = words[index + 1].split(
                separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map({ Array($0) }), Self.isFilter(name) else { continue }
            let value = parts.count == 2 ? Array(parts[1]) : Array("true".utf8)
            switch String(decoding: words[index], as: UTF8.self) {
            case "system", "global": persons[name] = value
            case "command": break
            default: own[name] = value
            }
        }
        let foreign = own.filter { persons[$0.key] != $0.value }
        overrides = foreign.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
            Override(bytes: name, persons[name] ?? (name.ends(with: Self.required) ? Array("false".utf8) : []))
        }
        hasOwnFilters = foreign.keys.contains { !$0.ends(with: Self.required) }
    }

    private static let required = ".required"

    private static func isFilter(_ name: [UInt8]) -> Bool {
        name.starts(with: Array("filter.".utf8))
            && [".clean", ".smudge", ".process", required].contains(where: name.ends)
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
