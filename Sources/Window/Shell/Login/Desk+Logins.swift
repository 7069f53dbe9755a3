internal import Client
internal import RoundelBus
internal import Support
internal import WindowModel

extension Desk {
    /// Has a person log in at the server of a folder; what uses the login then is synced.
    /// - Parameter parent: The window in front of which that is; nil for the main one.
    func logIn(_ folder: ItemURI, over parent: Widget? = nil) {
        guard let bus else { return }
        carryOut { [weak self] _ in
            let remote = try await AccountFolders(bus: bus).remote(of: folder)
            await self?.showLogin(folder, remote, over: parent)
        }
    }

    private func showLogin(_ folder: ItemURI, _ remote: LoginRemote, over parent: Widget?) {
        guard let bus, let window else { return }
        let shown = LoginWindow(over: parent ?? window.window, bus: bus, remote) { [weak self] isLoggedIn in
            self?.login = nil
            guard isLoggedIn else { return }
            self?.window?.say(tr("You are logged in. Syncing goes on."))
            self?.carryOut { actions in try await actions.loggedIn(at: remote, for: folder) }
        }
        login = shown
        shown.present()
    }

    /// Ends the login of a folder, after a question.
    /// - Parameter parent: The window in front of which that is.
    func logOut(_ folder: ItemURI, over parent: Widget) {
        guard let bus else { return }
        carryOut { [weak self] _ in
            let logOut = try await LogOut.of(folder, bus: bus)
            await self?.ask(logOut, over: parent)
        }
    }

    private func ask(_ logOut: LogOut, over parent: Widget) {
        Question.ask(
            over: parent, logOut.heading, logOut.consequences, cancel: tr("Cancel"),
            [.init(id: "log-out", label: tr("Log Out"), isDestructive: true)]
        ) { [weak self] _ in
            guard let bus = self?.bus else { return }
            self?.carryOut { [weak self] _ in
                let said = try await logOut.carryOut(bus: bus)
                await self?.window?.say(said)
            }
        }
    }
}
