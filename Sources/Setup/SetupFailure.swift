package import SystemPackage

/// Why setup cannot go on.
package enum SetupFailure: Error, Hashable, Sendable {
    /// It is unknown where Roundel is installed: /proc does not show which program this is.
    case installationUnknown
    /// A directory cannot be created, with the error of the system.
    case cannotMake(FilePath, Errno)
    /// A file cannot be read.
    case cannotRead(FilePath, Errno)
    /// A file cannot be written.
    case cannotWrite(FilePath, Errno)
    /// A file cannot be removed.
    case cannotRemove(FilePath, Errno)
    /// The file to copy does not belong to the user who installed Roundel.
    case notTheInstallers(FilePath)
    /// The file of session variables was written by somebody else.
    case foreignVariables(FilePath)
    /// A program does not end.
    case stubborn(program: String, process: Int32)
    /// The installation has no such helper.
    case noHelper(String)
    /// The helper could not be started.
    case helperNotStarted(String)
    /// The helper was started and does not run.
    case helperEnded(String)
}
