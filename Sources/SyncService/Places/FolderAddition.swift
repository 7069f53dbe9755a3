internal import DBus
internal import Remotes
internal import RoundelBus

/// A call of AddFolder, and what was found out and done for it so far.
final class FolderAddition {
    let folder: NewFolder
    let call: MethodCall
    /// What was found out about the remote; nil before that.
    var findings: RemoteFindings?
    /// Where the contents of a folder on demand are kept; nil before that is known.
    var contents: ItemURI?
    /// The directories that were made; nil before that.
    var made: MadeDirectories?
    private let blocking: BlockingWork

    init(_ folder: NewFolder, _ call: MethodCall, blocking: BlockingWork) {
        (self.folder, self.call, self.blocking) = (folder, call, blocking)
    }

    /// Whether directories that are missing are still to be made.
    var isToCreate: Bool { folder.creates && made == nil }

    /// Refuses the call, after what was made for it was removed again.
    func fail(_ error: WorkerError) {
        guard let made, blocking.run({ made.takeBack() }, { [call] in call.fail(error.busError) }) else {
            return call.fail(error.busError)
        }
    }
}
