/// A path below the root of a folder, as its names; empty for the root.
public struct RelativePath: Hashable, Sendable, CustomStringConvertible {
    /// The names from the root downwards.
    public var names: [EntryName]

    /// The path of these names.
    public init(_ names: [EntryName]) {
        self.names = names
    }

    /// The folder itself.
    public static let root = RelativePath([])

    /// The path of an entry of this directory.
    public func appending(_ name: EntryName) -> RelativePath {
        RelativePath(names + [name])
    }

    /// The directory that holds the entry; the root's is the root.
    public var parent: RelativePath { RelativePath(Array(names.dropLast())) }
    /// The last name; nil for the root.
    public var name: EntryName? { names.last }
    /// Whether the path names the folder itself.
    public var isRoot: Bool { names.isEmpty }

    /// The path for display, `a/b/c`.
    public var description: String { names.map(\.description).joined(separator: "/") }
}
