internal import DBus

/// The menu for hosts: its lines by number, which stays the same while the meaning of a line does.
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

    /// The number of the current layout.
    private(set) var revision: UInt32 = 1

    // MARK: Changing

    /// Replaces the lines and returns the changes.
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
            // One signal reports one part of the menu; changes in several parts are reported as the whole menu.
            changes.layout = changes.layout == nil ? number : Self.root
        }
        if changes.layout != nil { revision &+= 1 }
        return changes
    }

    private mutating func place(_ nodes: [MenuNode], below number: Int32, _ line: Line) {
        var line = line
        for node in nodes {
            let name = line.name + [node.key]
            // Providers' IDs are unique, so a second line with the same name can only be a bug, and is left out.
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

    // MARK: Reading

    /// Every line, the menu itself first.
    var all: [Int32] { lines.keys.sorted() }

    /// The action of a line.
    func choice(_ number: Int32) -> MenuChoice? { lines[number]?.choice }

    /// Whether the line exists.
    func contains(_ number: Int32) -> Bool { lines[number] != nil }

    /// Divides the requested lines into existing and other ones, each once and in the order of the request, so that an
    /// answer is never longer than the menu and the request together.
    func sorted(_ asked: [Int32]) -> (known: [Int32], unknown: [Int32]) {
        var seen: Set<Int32> = []
        let each = asked.filter { seen.insert($0).inserted }
        return (each.filter(contains), each.filter { !contains($0) })
    }

    /// The properties of a line; if `names` is not empty, only those.
    func properties(_ number: Int32, only names: Set<String> = []) -> VariantMap? {
        guard let properties = lines[number]?.properties else { return nil }
        return names.isEmpty ? properties : properties.filter { names.contains($0.key) }
    }

    /// A line with `depth` levels of its submenu; all levels if `depth` is negative.
    func layout(_ number: Int32, depth: Int32, only names: Set<String> = []) -> DBusValue? {
        guard let line = lines[number], let properties = properties(number, only: names) else { return nil }
        // A negative depth means no limit and stays unchanged.
        let rest = depth > 0 ? depth - 1 : depth
        let children = depth == 0 ? [] : line.children.compactMap { layout($0, depth: rest, only: names) }
        return .structure([
            .int32(number), .map(properties), .array(element: "v", children.map { .variant($0) }),
        ])
    }
}

/// What has changed in a menu.
struct MenuChanges: Equatable {
    /// The lines whose properties have new values, with these values.
    var updated: [Updated] = []
    /// The lines that have lost properties, with the names of these.
    var removed: [Removed] = []
    /// The line whose children or their order changed; nil if there is none.
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
