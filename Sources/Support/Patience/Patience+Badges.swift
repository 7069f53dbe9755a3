extension Patience {
    /// The badge service.
    package enum Badges {
        // MARK: Calls

        /// For a provider's badges or menu; then the call is answered without them.
        package static let provider = limit(.milliseconds(50))
        /// For a provider's menu after the call was answered without it; then it is given up.
        package static let lateMenu = limit(.seconds(20))
        /// For a provider's attributes of an item; then the call fails.
        package static let attributes = limit(.seconds(2))
        /// Until the place of a directory is known; then it is assumed to be where its spelling says.
        package static let place = limit(.seconds(3))
        /// How long a caller may choose from a menu; then the menu is dropped.
        package static let menuLifetime = limit(.seconds(300))
        /// How long further changes of a directory are collected after some were reported; then they are reported
        /// together.
        package static let collecting = pause(.milliseconds(50))

        // MARK: Programs in a sandbox

        /// For a look into a sandbox; then nobody knows what is in it.
        package static let sandbox = limit(.seconds(5))

        // MARK: The service's own files

        /// For the directories of the manifests; then everything goes on with the manifests that are known.
        package static let manifests = limit(.seconds(2))
        /// For the directories that say which names have which types of data; then the types are unknown.
        package static let types = limit(.seconds(2))
        /// For a saved state before an answer that depends on it; then the answer is given anyway.
        package static let saving = limit(.seconds(2))
        /// At the end of the service, for files that are being written; then it ends without them.
        package static let savingAtEnd = limit(.seconds(2))
        /// Before a state that could not be written is written again.
        package static let savingAgain = pause(.seconds(60))
        /// Without start-up or other rare work, before the service releases the memory that this needed.
        package static let settling = pause(.milliseconds(500))
    }
}
