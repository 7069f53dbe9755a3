internal import RoundelBus
internal import Support
internal import WindowModel

extension Desk {
    /// Shows the preferences of a folder.
    func showPreferences(of folder: ItemURI) {
        guard let window, let bus, let known = window.row(of: folder) else { return }
        if let preferences, preferences.folder == folder { return preferences.present() }
        let shown = FolderWindow(over: window.window, known, bus: bus, self)
        preferences = shown
        window.tellPreferences()
        shown.present()
    }

    /// Leaves an item out of syncing, which can be undone.
    func exclude(_ item: ItemURI) {
        carryOut { [weak self] actions in
            let patterns = try await actions.exclude(item)
            await self?.window?.problemsChanged()
            await self?.window?.say(tr("“{1}” is not synced any more.", item.displayName)) { [weak self] in
                self?.carryOut { [weak self] actions in
                    if !patterns.isEmpty { try await actions.removePatterns(patterns, of: item) }
                    try await actions.sync(item)
                    await self?.window?.problemsChanged()
                }
            }
        }
    }
}
