/// What a set of entries shows of its directory.
enum SightScope: Hashable {
    /// All entries.
    case whole
    /// Some of the entries.
    case partial
    /// All entries whose names are after one name and up to another; nil for no limit.
    case part(after: EntryName?, through: EntryName?)
    /// All entries of one name.
    case name(EntryName)

    /// Whether it shows which entry has a name, or that none has it.
    func shows(_ name: EntryName) -> Bool {
        switch self {
        case .whole: true
        case .partial: false
        case .part: isWithinReach(name)
        case .name(let one): one == name
        }
    }

    /// Whether the entry of a name may be among the entries.
    func isWithinReach(_ name: EntryName) -> Bool {
        switch self {
        case .part(let after, let through): after.map { $0 < name } ?? true && through.map { name <= $0 } ?? true
        case .whole, .partial, .name: true
        }
    }

    /// Whether it is one page of several.
    var isPart: Bool {
        switch self {
        case .part: true
        case .whole, .partial, .name: false
        }
    }
}
