extension Patience {
    /// The tray, the sidebar and the notifications.
    package enum Desktop {
        // MARK: Tray

        /// Between two changes of the tooltip or of the menu's lines.
        package static let tray = pause(.seconds(1))

        // MARK: Notifications

        /// How long a matter waits for others, so that matters that appear together are shown together.
        package static let collecting = pause(.seconds(1))
        /// Between two changes of one notification.
        package static let update = pause(.seconds(5))
        /// Between two notifications about one matter, if it is resolved and returns.
        package static let repetition = pause(.seconds(10))
        /// For the number of the notification that one of several matters is to replace; then a new one is shown.
        package static let number = limit(.seconds(30))
        /// For what the notification daemon can do, including its start; then it counts as silent.
        package static let daemon = limit(.seconds(30))
    }
}
