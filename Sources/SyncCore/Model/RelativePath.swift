/// A path below the root of a folder, as a list of names; empty for the root.
package struct RelativePath: Hashable, Sendable, CustomStringConvertible {
    /// The names from the root downwards.
    package var names: [EntryName]

    /// The path of these names.
    package init(_ names: [EntryName]) {
        self.names = names
    }

    /// The folder itself.
    package static let root = RelativePath([])

    /// The path of an entry of this directory.
    package func appending(_ name: EntryName) -> RelativePath {
        RelativePath(names + [name])
    }

    /// The directory that contains the entry; for the root, the root.
    package var parent: RelativePath { RelativePath(Array(names.dropLast())) }
    /// The last name; nil for the root.
    package var name: EntryName? { names.last }
    /// Whether this is the path of the folder itself.
    package var isRoot: Bool { names.isEmpty }

    /// The path for display, `a/b/c`.
    package var description: String { names.map(\.description).joined(separator: "/") }
}
