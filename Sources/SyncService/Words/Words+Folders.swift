/// The state of a folder, in words.
extension Words {
    static func paused(waiting count: Int) -> String {
        count == 0 ? say("Paused") : say("Paused, 1 item waiting", "Paused, %1$s items waiting", count, "\(count)")
    }

    static func syncing(_ count: Int) -> String { say("Syncing 1 item", "Syncing %1$s items", count, "\(count)") }

    static func failed(_ count: Int) -> String {
        say("1 item could not be synced", "%1$s items could not be synced", count, "\(count)")
    }

    static func conflicts(_ count: Int) -> String { say("1 conflict", "%1$s conflicts", count, "\(count)") }

    static func waiting(_ count: Int) -> String { say("1 item waiting", "%1$s items waiting", count, "\(count)") }

    static var looking: String { say("Looking for changes") }

    static var upToDate: String { say("Up to date") }

    /// - Parameters:
    ///   - date: of the last look, in microseconds since 1970.
    ///   - minutes: between two looks.
    static func upToDate(asOf date: Int64, lookedThroughEvery minutes: Int) -> String {
        say(
            "Up to date as of %1$s, looked through every minute",
            "Up to date as of %1$s, looked through every %2$s minutes", minutes, clock(date), "\(minutes)")
    }

    static func otherVersion(_ name: String) -> String { say("The other version is “%1$s”.", name) }
}
