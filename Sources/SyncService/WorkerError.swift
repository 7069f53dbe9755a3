internal import DBus
internal import RoundelBus

/// A refusal of the worker's own interface: a name that programs compare and a sentence for a person.
struct WorkerError: Error {
    /// The errors that `org.roundel.SyncWorker1` names.
    enum Code: String {
        case invalidURI = "InvalidUri"
        case unknownFolder = "UnknownFolder"
        case folderTaken = "FolderTaken"
        case notADirectory = "NotADirectory"
        case invalidRemote = "InvalidRemote"
        case unsupportedRemote = "UnsupportedRemote"
        case unsupported = "Unsupported"
        case folderPaused = "FolderPaused"
        case invalidPattern = "InvalidPattern"
        case unknownPattern = "UnknownPattern"
        case noConflict = "NoConflict"
        case notInTrash = "NotInTrash"
        case failed = "Failed"
    }

    let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error as it goes over the bus.
    var busError: DBusError { DBusError(name: Names.errorPrefix + code.rawValue, message: message) }
}
