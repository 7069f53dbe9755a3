internal import Launching
internal import RoundelBus
internal import Support

extension DesktopOpener {
    /// Leads to a folder that was chosen in the tray: to what needs attention in the window; without one, or if nothing
    /// does, to the folder in the file manager.
    func lead(to folder: HostedFolder, _ options: ActivationOptions) {
        guard folder.state == .attention || folder.state == .error else { return open(folder.folder, options) }
        showWindow(.problems, of: folder.folder.uri, options) { [self] isShown in
            if !isShown { open(folder.folder, options) }
        }
    }

    /// Opens a folder that was chosen in the tray; a failure is logged.
    func open(_ folder: ItemURI, _ options: ActivationOptions) {
        open([folder.uri], options) { result in
            guard case .failure(let error) = result else { return }
            log(.warning, "\(folder) cannot be shown: \(error.message)")
        }
    }
}
