extension Patience {
    /// The window.
    package enum Window {
        /// Before services that did not answer are asked again.
        package static let again = pause(.seconds(5))
        /// Before problems are asked for again while they change all the time.
        package static let problems = pause(.milliseconds(500))
        /// After a person changed a number, before it is set.
        package static let typing = pause(.milliseconds(500))
        /// Between two times that the window remembers what it shows.
        package static let remembering = pause(.seconds(30))
    }
}
