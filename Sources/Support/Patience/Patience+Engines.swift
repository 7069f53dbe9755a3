extension Patience {
    /// The engines beside the bundled one.
    package enum Engines {
        /// For git to answer a question; then it is ended, and the question has no answer.
        package static let git = limit(.seconds(120))
        /// Between two equal questions to git or to a disk, at least.
        package static let rest = pause(.milliseconds(200))
    }
}
