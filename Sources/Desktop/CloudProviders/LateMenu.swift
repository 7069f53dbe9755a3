/// Decides when a menu without items is requested again. The service leaves out a provider that is late, and no signal
/// tells when it is ready; one that has nothing to offer looks the same.
struct LateMenu {
    /// After what times: a provider that has not answered by then has no items.
    private static let delays = [Duration.milliseconds(300), .seconds(1), .seconds(3), .seconds(9)]

    private var attempts = 0

    /// Called with each answer. After what time to request the menu again, and not to use this one; nil to use it.
    mutating func delay(after answer: SidebarMenu) -> Duration? {
        guard answer == SidebarMenu(), attempts < Self.delays.count else {
            if answer != SidebarMenu() { attempts = 0 }
            return nil
        }
        attempts += 1
        return Self.delays[attempts - 1]
    }

    /// Called when the menu may have changed.
    mutating func startAfresh() { attempts = 0 }
}
