import Support

// MARK: - Limits for the network

extension Text {
    /// - Parameters:
    ///   - up: In bytes per second; 0 for no limit.
    ///   - down: In bytes per second; 0 for no limit.
    ///   - time: When other limits apply; nil if never.
    static func limits(_ path: String, up: UInt64, down: UInt64, until time: String?) -> String {
        time.map { Phrase.text("{1}: {2}, {3}, until {4}.", path, upload(up), download(down), $0) }
            ?? Phrase.text("{1}: {2}, {3}.", path, upload(up), download(down))
    }

    /// - Parameter limit: In bytes per second, 0 for no limit; nil for the limit at other times.
    static func upload(_ limit: UInt64?) -> String {
        switch limit {
        case nil: Phrase.text("up as otherwise")
        case 0: Phrase.text("no limit up")
        case let limit?: Phrase.text("{1}/s up", Quantity.bytes(limit))
        }
    }

    /// - Parameter limit: In bytes per second, 0 for no limit; nil for the limit at other times.
    static func download(_ limit: UInt64?) -> String {
        switch limit {
        case nil: Phrase.text("down as otherwise")
        case 0: Phrase.text("no limit down")
        case let limit?: Phrase.text("{1}/s down", Quantity.bytes(limit))
        }
    }

    static var otherwise: String { Phrase.text("otherwise") }

    static func onMetered(isAllowed: Bool, isHeld: Bool) -> String {
        switch (isAllowed, isHeld) {
        case (true, _): Phrase.text("It syncs on a metered connection as well.")
        case (false, true): Phrase.text("It waits for a connection that is not metered.")
        case (false, false): Phrase.text("On a metered connection it waits.")
        }
    }

    static var daysNeedHours: String { Phrase.text("--on needs --between.") }
    static var noneExcludesLimits: String { Phrase.text("--none and a limit exclude each other.") }
    static var hoursNeedLimit: String { Phrase.text("--between needs --up, --down or --none.") }
    static var noLimitsThen: String { Phrase.text("No limits are set for these hours and days.") }

    static func notARate(_ text: String) -> String {
        Phrase.text("“{1}” is not a number of bytes a second: write 500k, 1.5M, or 0 for no limit.", text)
    }

    static func notHours(_ text: String) -> String {
        Phrase.text("“{1}” are no hours: write 08:00-18:00, or 22:00-06:00 for a night.", text)
    }

    static func notDays(_ text: String) -> String {
        Phrase.text("“{1}” are no days: write mon-fri or sat,sun.", text)
    }
}
