extension Patience {
    /// A mounted folder.
    package enum Mount {
        /// For contents that were asked of the worker, since it was last heard of; then whoever opens the file gets an
        /// error.
        package static let fetch = limit(.seconds(60))
        /// Between two looks at the signals of a program that waits for contents and was sent one that it may get later.
        package static let signals = pause(.milliseconds(100))
        /// For how long a program whose thumbnailer was refused an item is refused that item once itself, because it then
        /// tries to draw the thumbnail alone.
        package static let suspicion = pause(.seconds(5))
    }
}
