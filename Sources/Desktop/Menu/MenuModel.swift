internal import DBus

/// The menu as hosts know it: its lines by number, the same number as long as a line means the same.
struct MenuModel {
    private struct Line {
        let name: [String]
        let parent: Int32
        var properties: VariantMap
        var choice: MenuChoice?
        var children: [Int32] = []
    }

    /// The number of the menu itself.
    static let root: Int32 = 0

    private var lines: [Int32: Line] = [
        MenuModel.root: Line(
            name: [], parent: MenuModel.root, properties: ["children-display": .string("submenu")], choice: nil)
    ]
    /// By the keys on the way to a line.
    private var numbers: [[String]: Int32] = [[]: MenuModel.root]
    private var last: Int32 = 0

    /// Counts the layouts.
    private(set) var revision: UInt32 = 1

    // MARK: Changing

    /// Puts other lines in the place of those that were, and says what that changes.
    mutating func update(_ nodes: [MenuNode]) -> MenuChanges {
        let old = lines
        lines = [:]
        place(nodes, below: Self.root, Line(name: [], parent: Self.root, properties: old[0]?.properties ?? [:]))
        numbers = numbers.filter { lines[$0.value] != nil }
        var changes = MenuChanges()
        for (number, line) in lines.sorted(by: { $0.key < $1.key }) {
            guard let before = old[number] else { continue }
            changes.note(number, before.properties, line.properties)
            guard before.children != line.children else { continue }
            // One signal tells of one part of the menu; several parts are told as the whole.
            changes.layout = changes.layout == nil ? number : Self.root
        }
        if changes.layout != nil { revision &+= 1 }
        return changes
    }

    private mutating func place(_ nodes: [MenuNode], below number: Int32, _ line: Line) {
        var line = line
        for node in nodes {
            let name = line.name + [node.key]
            // Providers' ids are unique, so a second line of one name can only be a fault that goes unseen.
            let child = numbers[name] ?? next()
            guard lines[child] == nil else { continue }
            numbers[name] = child
            line.children.append(child)
            place(
                node.children, below: child,
                Line(name: name, parent: number, properties: node.properties, choice: node.choice))
        }
        lines[number] = line
    }

    private mutating func next() -> Int32 {
        last &+= 1
        if last < 0 { last = 1 }
        return last
    }

    // MARK: Asking

    /// Every line, the menu itself first.
    var all: [Int32] { lines.keys.sorted() }

    /// What choosing a line does.
    func choice(_ number: Int32) -> MenuChoice? { lines[number]?.choice }

    /// Whether there is such a line.
    func contains(_ number: Int32) -> Bool { lines[number] != nil }

    /// The lines among those asked about that there are, and the others, each once and in the order of the question: an
    /// answer is never longer than the menu and the question together.
    func sorted(_ asked: [Int32]) -> (known: [Int32], unknown: [Int32]) {
        var seen: Set<Int32> = []
        let each = asked.filter { seen.insert($0).inserted }
        return (each.filter(contains), each.filter { !contains($0) })
    }

    /// The properties of a line; with `names`, only those.
    func properties(_ number: Int32, only names: Set<String> = []) -> VariantMap? {
        guard let properties = lines[number]?.properties else { return nil }
        return names.isEmpty ? properties : properties.filter { names.contains($0.key) }
    }

    /// A line with what is below it, so many levels deep; below 0 it is all of it.
    func layout(_ number: Int32, depth: Int32, only names: Set<String> = []) -> DBusValue? {
        guard let line = lines[number], let properties = properties(number, only: names) else { return nil }
        // Below 0 there is no limit, which stays as it is.
        let rest = depth > 0 ? depth - 1 : depth
        let children = depth == 0 ? [] : line.children.compactMap { layout($0, depth: rest, only: names) }
        return .structure([
            .int32(number), .map(properties), .array(element: "v", children.map { .variant($0) }),
        ])
    }
}

/// What has changed in a menu.
struct MenuChanges: Equatable {
    /// The lines whose properties have new values, with these.
    var updated: [Updated] = []
    /// The lines that have lost properties, with their names.
    var removed: [Removed] = []
    /// The line whose children are others now, or stand in another order; nil if none.
    var layout: Int32?

    struct Updated: Equatable {
        let line: Int32
        let properties: VariantMap
    }

    struct Removed: Equatable {
        let line: Int32
        let names: [String]
    }

    fileprivate mutating func note(_ line: Int32, _ old: VariantMap, _ new: VariantMap) {
        let changed = new.filter { old[$0.key] != $0.value }
        if !changed.isEmpty { updated.append(Updated(line: line, properties: changed)) }
        let lost = old.keys.filter { new[$0] == nil }.sorted()
        if !lost.isEmpty { removed.append(Removed(line: line, names: lost)) }
    }
}
