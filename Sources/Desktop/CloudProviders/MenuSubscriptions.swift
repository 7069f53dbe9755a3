/// Who follows a menu: those who began to and have not ended it, and those who asked for its actions. Each is counted
/// apart; who leaves the bus has ended everything.
struct MenuSubscriptions {
    private var menus: [String: Int] = [:]
    private var actions: Set<String> = []

    /// Whether anybody would notice a change.
    var isEmpty: Bool { menus.isEmpty && actions.isEmpty }
    /// Whether anybody follows the lines of the menu.
    var hasMenus: Bool { !menus.isEmpty }

    func contains(_ caller: String) -> Bool { menus[caller] != nil || actions.contains(caller) }

    mutating func startMenu(_ caller: String) { menus[caller, default: 0] += 1 }

    mutating func endMenu(_ caller: String) {
        guard let count = menus[caller] else { return }
        menus[caller] = count > 1 ? count - 1 : nil
    }

    mutating func followActions(_ caller: String) { actions.insert(caller) }

    mutating func forget(_ caller: String) {
        menus[caller] = nil
        actions.remove(caller)
    }
}
