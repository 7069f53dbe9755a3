internal import CGtk4
internal import Client
internal import DBus
internal import RoundelBus
internal import Support
internal import WindowModel

/// What the widgets of the pages have done, over the bus, and the words about what fails.
@Interface
final class Desk {
    /// Over which questions are asked, and which has the pages.
    weak var window: MainWindow?
    private(set) var bus: AsyncConnection?
    /// The login that is under way, and the preferences that are open.
    var login: LoginWindow?
    var preferences: FolderWindow?

    /// Uses this bus from now on.
    func use(_ bus: AsyncConnection) { self.bus = bus }

    // MARK: Folders

    func sync(_ folder: ItemURI) { carryOut { try await $0.sync(folder) } }

    func syncAll(_ folders: [ItemURI]) {
        for folder in folders { sync(folder) }
    }

    func pause(_ folder: ItemURI, _ length: PauseLength) { carryOut { try await $0.pause(folder, length) } }

    func resume(_ folder: ItemURI) { carryOut { try await $0.resume(folder) } }

    func answer(_ folder: ItemURI, _ answer: NeedAnswer) {
        if answer == .logIn { return logIn(folder) }
        carryOut { try await $0.sync(folder, answer.options) }
    }

    func stop(_ folder: ItemURI) {
        guard let window else { return }
        Question.ask(
            over: window.window, tr("Stop Syncing “{1}”?", folder.displayName),
            tr("Its files stay, on this computer and on the remote. Changes are no longer brought to the other side."),
            cancel: tr("Cancel"), [.init(id: "stop", label: tr("Stop Syncing"), isDestructive: true)]
        ) { [weak self] _ in self?.remove(folder, dropsPlaceholders: false) }
    }

    private func remove(_ folder: ItemURI, dropsPlaceholders: Bool) {
        carryOut { actions in
            _ = try await actions.remove(folder, dropsPlaceholders: dropsPlaceholders)
        } failed: { [weak self] error in
            guard (error as? DBusError)?.roundelCode == .placeholdersLeft, let self, let window else { return false }
            Question.ask(
                over: window.window, tr("Remove the Files That Are Online Only?"), Sentence.of(error),
                cancel: tr("Cancel"),
                [.init(id: "remove", label: tr("Remove from This Computer"), isDestructive: true)]
            ) { [weak self] _ in self?.remove(folder, dropsPlaceholders: true) }
            return true
        }
    }

    // MARK: Conflicts and versions

    /// - Parameter undone: Called if it could not be done.
    func resolve(_ card: ConflictCard, as choice: SyncConflict.Choice, undone: @escaping @Interface () -> Void) {
        carryOut { [weak self] actions in
            if try await actions.resolve(card.uri, as: choice) {
                await self?.window?.say(tr("“{1}” is resolved when its folder can be synced again.", card.name))
            }
            await self?.window?.problemsChanged()
        } failed: { _ in
            undone()
            return false
        }
    }

    func resolveAll(as choice: SyncConflict.Choice) {
        let items = window?.conflicts ?? []
        carryOut { [weak self] actions in
            for item in items { _ = try await actions.resolve(item, as: choice) }
            await self?.window?.problemsChanged()
        }
    }

    func compare(_ card: ConflictCard) {
        guard let window, let mine = card.versions.first?.uri, let theirs = card.versions.last?.uri else { return }
        Comparison.show(card.name, mine, theirs, over: window)
    }

    /// - Parameter again: Called if it can be restored again: because it could not be done, or is still kept.
    func restore(_ version: VersionsPage.Row, again: @escaping @Interface () -> Void) {
        carryOut { [weak self] actions in
            let restored = try await actions.restore(version)
            let place = (try? ItemURI(restored))?.sentencePath ?? restored
            await self?.window?.say(tr("Restored as {1}", place))
            await self?.window?.loadVersions()
            switch version.keeper {
            case .engine: break
            case .server: await again()
            }
        } failed: { _ in
            again()
            return false
        }
    }

    /// Finds the earlier versions of an item: those that its engine keeps, then also those on its server, which may take
    /// some seconds.
    /// - Parameter found: Called with what is known so far, and with what keeps it from being all.
    func findVersions(of item: ItemURI, found: @escaping @Interface (VersionsPage, _ trouble: String?) -> Void) {
        guard let bus else { return }
        let folders = window?.folderURIs ?? []
        Task {
            let actions = FolderActions(bus: bus)
            let kept = (try? await actions.keptVersions(of: item)) ?? []
            found(VersionsPage(of: item, kept, server: [], folders: folders, now: Moment.now), nil)
            do {
                let server = try await actions.serverVersions(of: item)
                found(VersionsPage(of: item, kept, server: server, folders: folders, now: Moment.now), nil)
            } catch {
                found(
                    VersionsPage(of: item, kept, server: [], folders: folders, now: Moment.now),
                    tr("Versions on the server are not listed. {1}", Sentence.of(error)))
            }
        }
    }

    /// Asks of which directory everything is to be restored that went since a moment, and restores it.
    func restore(_ choice: RestorationChoice) {
        guard let window else { return }
        let answers = choice.scopes.map { Question.Answer(id: $0.uri.uri, label: $0.label) }
        Question.ask(over: window.window, choice.heading, choice.explanation, cancel: tr("Cancel"), answers) {
            [weak self] id in
            guard let scope = choice.scopes.first(where: { $0.uri.uri == id }) else { return }
            self?.carryOut { [weak self] actions in
                let result = try await actions.restore(scope.uri, since: choice.moment)
                await self?.window?.say(RestorationChoice.outcome(result))
                await self?.window?.loadVersions()
            }
        }
    }

    // MARK: Places

    /// Opens a folder in the file manager, or a file in its program.
    func open(_ item: ItemURI) {
        guard let window else { return }
        gtk_show_uri(window.window.typed(), item.uri, guint32(GDK_CURRENT_TIME))
    }

    /// Shows an item in the file manager, selected in its folder.
    func showInFolder(_ item: ItemURI) {
        guard let bus else { return }
        Task { [weak self] in
            do {
                _ = try await bus.call(
                    "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1",
                    "ShowItems", [.strings([item.uri]), .string("")])
            } catch {
                self?.open(item.parent ?? item)
            }
        }
    }

    func showProblems() { window?.show(.problems) }

    func showHistory(of item: ItemURI) { window?.showHistory(of: item) }

    // MARK: Carrying out

    /// Carries an action out; a failure is said, unless `failed` returns that it has dealt with it.
    func carryOut(
        _ action: @escaping @Sendable (FolderActions) async throws -> Void,
        failed: (@Interface (any Error) -> Bool)? = nil
    ) {
        guard let bus else { return }
        Task { [weak self] in
            do {
                try await action(FolderActions(bus: bus))
            } catch {
                if failed?(error) != true { self?.window?.say(Sentence.of(error)) }
            }
        }
    }
}
