internal import RoundelBus

/// A menu in the two halves that GTK uses: menus of labels, which refer to actions, and the actions.
struct SidebarMenu: Equatable {
    /// One line of a menu.
    enum Entry: Equatable {
        /// A line with an action: the label, the icon's name, the action.
        case action(String, icon: String, name: String)
        /// A line that opens the menu with this number.
        case submenu(String, icon: String, menu: UInt32)
        /// Shows the lines of the menu with this number here, separated from the others.
        case section(UInt32)
    }

    /// An action.
    struct Action: Equatable {
        let isEnabled: Bool
        /// The check mark; nil if there is none.
        let isChecked: Bool?
        /// The item's ID for hosts.
        let item: String
    }

    /// By number; 0 is the menu itself.
    private(set) var menus: [[Entry]] = [[]]
    /// By name.
    private(set) var actions: [String: Action] = [:]

    /// Creates the menu of these items; without items it is empty.
    init(_ items: [MenuItem] = []) { fill(0, items) }

    private mutating func fill(_ number: UInt32, _ items: [MenuItem]) {
        let blocks = items.split(whereSeparator: \.isSeparator)
        guard blocks.count > 1 else {
            for item in blocks.first ?? [] { append(item, to: number) }
            return
        }
        for block in blocks {
            let section = addMenu()
            menus[Int(number)].append(.section(section))
            for item in block { append(item, to: section) }
        }
    }

    private mutating func append(_ item: MenuItem, to number: UInt32) {
        guard item.children.isEmpty else {
            let submenu = addMenu()
            menus[Int(number)].append(.submenu(item.label, icon: item.icon, menu: submenu))
            return fill(submenu, item.children)
        }
        let name = Self.actionName(item.id)
        menus[Int(number)].append(.action(item.label, icon: item.icon, name: name))
        actions[name] = Action(isEnabled: item.enabled, isChecked: item.checked, item: item.id)
    }

    private mutating func addMenu() -> UInt32 {
        menus.append([])
        return UInt32(menus.count - 1)
    }

    /// Encodes the ID of an item as the name of an action, in which GTK allows letters, digits, `-` and `.`.
    static func actionName(_ id: String) -> String {
        id.utf8.reduce(into: "") { name, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                name.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                name += (byte < 16 ? ".0" : ".") + digits
            }
        }
    }
}

extension SidebarMenu {
    /// A menu whose lines have all been replaced.
    struct MenuChange: Equatable {
        let menu: UInt32
        let removed: UInt32
        let added: [Entry]
    }

    /// The changes of the menus between an earlier menu and this one.
    func menuChanges(since old: SidebarMenu) -> [MenuChange] {
        (0..<max(menus.count, old.menus.count)).compactMap { number in
            let before = number < old.menus.count ? old.menus[number] : []
            let now = number < menus.count ? menus[number] : []
            guard before != now else { return nil }
            return MenuChange(menu: UInt32(number), removed: UInt32(before.count), added: now)
        }
    }

    /// The changes of the actions.
    struct ActionChanges: Equatable {
        var removed: [String] = []
        var enabled: [String: Bool] = [:]
        var checked: [String: Bool] = [:]
        var added: [String: Action] = [:]

        var isEmpty: Bool { self == ActionChanges() }
    }

    /// The changes of the actions between an earlier menu and this one.
    func actionChanges(since old: SidebarMenu) -> ActionChanges {
        var changes = ActionChanges()
        for (name, before) in old.actions where actions[name]?.hasCheckMark != before.hasCheckMark {
            changes.removed.append(name)
        }
        changes.removed.sort()
        for (name, action) in actions {
            guard let before = old.actions[name], before.hasCheckMark == action.hasCheckMark else {
                changes.added[name] = action
                continue
            }
            if before.isEnabled != action.isEnabled { changes.enabled[name] = action.isEnabled }
            if let isChecked = action.isChecked, isChecked != before.isChecked { changes.checked[name] = isChecked }
        }
        return changes
    }
}

extension SidebarMenu.Action {
    fileprivate var hasCheckMark: Bool { isChecked != nil }
}
