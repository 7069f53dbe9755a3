/// The callers that follow a menu: those that subscribed and have not ended that, and those that requested its actions.
/// Both are counted separately. All subscriptions of a caller end when it leaves the bus.
struct MenuSubscriptions {
    private var menus: [String: Int] = [:]
    private var actions: Set<String> = []

    /// Whether no caller would notice a change.
    var isEmpty: Bool { menus.isEmpty && actions.isEmpty }
    /// Whether any caller follows the lines of the menu.
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
