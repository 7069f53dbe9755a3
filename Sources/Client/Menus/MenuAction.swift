package import RoundelBus
internal import Support

/// An action of a menu, which a user chose by its ID.
package struct MenuAction: Sendable {
    private let host: HostProxy
    private let menu: HostedMenu
    private let id: String

    /// Finds an action in the menus for some items.
    ///
    /// It waits for providers that answer late.
    /// - Throws: `DBusError`, ``ClientError/unknownAction(id:)`` or ``ClientError/disabledAction(label:id:)``.
    package static func find(_ id: String, for items: [ItemURI], host: HostProxy) async throws -> MenuAction {
        try await find(anyOf: [id], for: items, host: host)
    }

    /// Finds the action that opens an item where it is synced to.
    /// - Throws: As ``find(_:for:host:)``.
    package static func findToOpen(_ item: ItemURI, _ engines: Engines) async throws -> MenuAction {
        try await find(anyOf: ["show-in-browser", "show-remote", "open-remote", "open"], ofOwnerOf: item, engines)
    }

    /// Finds the action that shares an item.
    /// - Throws: As ``find(_:for:host:)``.
    package static func findToShare(_ item: ItemURI, _ engines: Engines) async throws -> MenuAction {
        try await find(anyOf: ["share", "copy-share-link"], ofOwnerOf: item, engines)
    }

    /// - Parameter names: The IDs within the menu of the item's engine, the best first.
    private static func find(
        anyOf names: [String], ofOwnerOf item: ItemURI, _ engines: Engines
    ) async throws -> MenuAction {
        let provider = try await engines.owner(of: item, offering: .folders).id + "/"
        return try await find(anyOf: names.map { provider + $0 }, for: [item], host: HostProxy(bus: engines.bus))
    }

    /// - Parameter ids: The best first.
    private static func find(
        anyOf ids: [String], for items: [ItemURI], host: HostProxy
    ) async throws -> MenuAction {
        for kind in MenuContext.kinds(for: items) {
            let context = try MenuContext(kind, items: items) { .root }
            let menu = try await host.completeMenu(
                kind, target: context.target, selection: context.selection, patience: Patience.CommandLine.menu)
            for id in ids {
                guard let found = MenuItem.find({ $0 == id }, in: menu.items) else { continue }
                guard found.enabled else { throw ClientError.disabledAction(label: found.label, id: id) }
                return MenuAction(host: host, menu: menu, id: id)
            }
        }
        throw ClientError.unknownAction(id: ids[0])
    }

    /// Carries the action out and waits for its end, for any time.
    /// - Throws: `DBusError`, or ``ClientError/serviceLeft``.
    package func perform(_ options: ActivationOptions) async throws -> FinishedAction {
        do {
            return try await host.perform(id, of: menu, options: options)
        } catch HostProxy.Failure.serviceLeft {
            throw ClientError.serviceLeft
        }
    }
}

extension MenuItem {
    /// The first item with such an ID, at any depth.
    fileprivate static func find(_ isWanted: (String) -> Bool, in items: [MenuItem]) -> MenuItem? {
        for item in items {
            if isWanted(item.id), !item.isSeparator { return item }
            if let child = find(isWanted, in: item.children) { return child }
        }
        return nil
    }
}
