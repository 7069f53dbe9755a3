internal import Remotes
internal import RoundelBus
internal import Secrets
internal import Support
internal import SyncCore
internal import SystemPackage

/// The texts of refused calls: what is wrong, which path, what to do.
extension WorkerError {
    // MARK: Places

    /// - Parameter error: Why no password was read from the descriptor that a program sent.
    init(readingPassword error: any Error) {
        switch error {
        case SecretPipe.Failure.notAPipe:
            self.init(.invalidArguments, tr("A password is taken only from a pipe."))
        case SecretPipe.Failure.unfinished:
            self.init(.failed, tr("The password did not arrive in time; nothing is saved."))
        case _:
            self.init(.failed, SecretStoreError.noMemory.sentence)
        }
    }

    // MARK: Overlaps

    // MARK: Verifying

    // MARK: Deletions

    // MARK: Moving

    // MARK: Folders

    // MARK: Settings and patterns

    // MARK: Items

}
