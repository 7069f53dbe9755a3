extension Patience {
    /// A mounted folder.
    package enum Mount {
        /// For contents that were asked of the worker, since it was last heard of; then whoever opens the file gets an
        /// error.
        package static let fetch = limit(.seconds(60))
        /// For the answer of a mounted folder to who connects.
        package static let greeting = limit(.seconds(5))
        /// For what a mounted folder does at once.
        package static let answer = limit(.seconds(30))
        /// For what a mounted folder waits for a disk with: copying contents into a file, making them durable.
        package static let durability = limit(.seconds(600))
        /// Between two looks at the signals of a program that waits for contents and was sent one that it may get later.
        package static let signals = pause(.milliseconds(100))
        /// For how long a program whose thumbnailer was refused an item is refused that item once itself, because it then
        /// tries to draw the thumbnail alone.
        package static let suspicion = pause(.seconds(5))
    }
}
