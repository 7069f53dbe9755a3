internal import Launching
internal import RoundelBus
internal import Support

extension DesktopOpener {
    /// Opens a folder that was chosen in the tray; a failure is logged.
    func open(_ folder: ItemURI, _ options: ActivationOptions) {
        open([folder.uri], options) { result in
            guard case .failure(let error) = result else { return }
            log(.warning, "\(folder) cannot be shown: \(error.message)")
        }
    }
}
