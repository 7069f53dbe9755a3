internal import Support

/// The texts for the state of a folder.
extension Words {
    static func paused(waiting count: Int) -> String {
        count == 0
            ? Phrase.text("Paused")
            : Phrase.counted(count, one: "Paused, 1 item waiting", other: "Paused, {1} items waiting")
    }

    static var waitingForConnection: String { Phrase.text("Waiting for a connection that is not metered") }

    static func syncing(_ count: Int) -> String {
        Phrase.counted(count, one: "Syncing 1 item", other: "Syncing {1} items")
    }

    static func failed(_ count: Int) -> String {
        Phrase.counted(count, one: "1 item could not be synced", other: "{1} items could not be synced")
    }

    static func conflicts(_ count: Int) -> String { Phrase.counted(count, one: "1 conflict", other: "{1} conflicts") }

    static func waiting(_ count: Int) -> String {
        Phrase.counted(count, one: "1 item waiting", other: "{1} items waiting")
    }

    static var looking: String { Phrase.text("Looking for changes") }

    static var stopped: String { Phrase.text("Not syncing") }

    static var upToDate: String { Phrase.text("Up to date") }

    /// - Parameters:
    ///   - date: The time of the last scan, in microseconds since 1970.
    ///   - minutes: The time between two scans.
    static func upToDate(asOf date: Int64, lookedThroughEvery minutes: Int) -> String {
        Phrase.counted(
            minutes, one: "Up to date as of {2}, looked through every minute",
            other: "Up to date as of {2}, looked through every {1} minutes", clock(date))
    }

    static func otherVersion(_ name: String) -> String { Phrase.text("The other version is “{1}”.", name) }
}
