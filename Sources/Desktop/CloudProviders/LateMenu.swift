internal import Support

/// Decides when a menu without items is requested again. The service leaves out a provider that is late, and no signal
/// tells when it is ready; one that has nothing to offer looks the same.
struct LateMenu {
    private var attempts = 0

    /// Called with each answer. After what time to request the menu again, and not to use this one; nil to use it.
    mutating func delay(after answer: SidebarMenu) -> Duration? {
        guard answer == SidebarMenu(), attempts < Patience.Desktop.sidebarMenu.count else {
            if answer != SidebarMenu() { attempts = 0 }
            return nil
        }
        attempts += 1
        return Patience.Desktop.sidebarMenu[attempts - 1]
    }

    /// Called when the menu may have changed.
    mutating func startAfresh() { attempts = 0 }
}
