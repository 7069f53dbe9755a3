import DBus
import RoundelBus
import Support

/// The commands that help after an error of a service. Services name none, as their sentences are also read in menus,
/// notifications and windows.
enum Advice {
    /// A sentence with the command; nil for errors that no command helps with.
    static func after(_ code: RoundelError.Code) -> String? {
        switch code {
        case .unknownFolder: tr("See: roundel list")
        case .noConflict: tr("See: roundel conflicts")
        case .notInTrash: tr("See: roundel trash")
        case .placeGone: tr("To restore it elsewhere: roundel trash restore --to DIRECTORY PATH")
        case .unknownProvider, .consentNeeded: tr("See: roundel providers")
        case .folderPaused: tr("To go on: roundel resume")
        case .answerNeeded: tr("See: roundel status")
        case .notSynced: tr("See: roundel ls")
        case .noFuse: tr("See: roundel doctor")
        case .loginNeeded: login("PATH")
        case .untrustedServer: tr("To trust a certificate authority: roundel add --authority FILE")
        case .certificateNeeded: tr("To use your certificate: roundel add --certificate FILE --key FILE")
        case .passphraseNeeded: tr("To be asked for the passphrase, give the files again on a terminal.")
        case .unsupportedRemote: tr("To install rclone: sudo apt install rclone")
        case .invalidURI, .invalidName, .notObserving, .limitExceeded, .folderTaken, .notYourFolder, .notRegistered,
            .identityTaken, .badgeTaken, .staleMenu, .unknownItem, .providerRunning, .noSuchService, .providerGone,
            .providerFailed, .providerTimeout, .cancelled, .notADirectory, .invalidRemote, .unsupported,
            .invalidPattern, .invalidLimit, .invalidTime, .unknownPattern, .notOnDemand, .pinned, .inUse,
            .placeholdersLeft, .failed, .invalidArguments, .accessDenied:
            nil
        }
    }

    /// - Parameter place: A synced folder, or the address of its remote, as a word of a shell command.
    static func login(_ place: String) -> String { tr("Log in: roundel login {1}", place) }

    /// The command after an error about a remote.
    /// - Parameter remote: Its address, as it was typed or as the worker takes it.
    static func after(_ code: RoundelError.Code, at remote: String) -> String? {
        if let rclone = RcloneRemote(remote) { return rclone.advice(after: code) ?? after(code) }
        return code == .loginNeeded ? login(WorkerPath.shellWord(remote)) : after(code)
    }
}

/// An error of a service, with another command than its code leads to.
struct AdvisedError: Error, Sendable {
    let cause: DBusError
    /// A sentence with the command; nil for none.
    let advice: String?

    init(_ cause: DBusError, _ advice: String?) { (self.cause, self.advice) = (cause, advice) }

    /// An error about a remote.
    init(_ cause: DBusError, at remote: String) {
        self.init(cause, cause.roundelCode.flatMap { Advice.after($0, at: remote) })
    }
}
