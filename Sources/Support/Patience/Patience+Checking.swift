extension Patience {
    /// `roundel check-provider` and `roundel check-host`.
    package enum Checking {
        /// For the private bus to listen.
        package static let bus = limit(.seconds(20))
        /// For a program that was started to register, or to begin to show a directory.
        package static let start = limit(.seconds(30))
        /// For what a program has to do by itself after something has happened.
        package static let reaction = limit(.seconds(20))
        /// For an answer; then the question counts as not answered.
        package static let answer = limit(.seconds(10))
        /// For an action, which a person might have to end.
        package static let action = limit(.seconds(60))
        /// For a program to end after a signal; then it is killed.
        package static let end = limit(.seconds(5))
        /// While a program could do what it must not do.
        package static let watching = pause(.seconds(2))
        /// Until the program that was told of changes has reported them.
        package static let settling = pause(.seconds(3))
        /// While a program has nothing to do and should be idle.
        package static let alone = pause(.seconds(3))
        /// Between two looks at something that no signal reports.
        package static let looking = pause(.milliseconds(20))
    }
}
