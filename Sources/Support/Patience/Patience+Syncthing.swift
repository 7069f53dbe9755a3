extension Patience {
    /// Syncthing, whose engine asks it over its REST interface.
    package enum Syncthing {
        /// Until a connection to it is there; on this computer that takes no time.
        package static let connection = limit(.seconds(10))
        /// For an answer that it has; then it counts as not running. It may have to read a large index for it.
        package static let answer = limit(.seconds(120))
        /// How long it may wait for the next event before it answers that there is none.
        package static let events = pause(.seconds(3_600))
        /// Before it is looked for again after it could not be reached; each further pause is twice as long.
        package static let retry = pause(.seconds(1))
        /// The longest pause before that.
        package static let longestRetry = pause(.seconds(60))
        /// The time between two reports of the rate of transfers.
        package static let rate = pause(.seconds(1))
    }
}
