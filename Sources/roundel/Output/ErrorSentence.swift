import Client
import DBus
import RoundelBus
import Secrets
import Setup
import Support
import SystemPackage

/// Makes sentences for errors.
enum ErrorSentence {
    /// The sentence for an error.
    static func of(_ error: any Error) -> String { known(error) ?? "\(error)" }

    /// The sentence for an error of this program, of its libraries or of a service; nil for any other.
    static func known(_ error: any Error) -> String? {
        switch error {
        case let failure as CommandFailure: failure.sentence
        case let mistake as MistypedCommand: mistake.sentence
        case let error as DBusError: sentence(error, error.roundelCode.flatMap { Advice.after($0) })
        case let error as AdvisedError: sentence(error.cause, error.advice)
        case let error as ClientError: sentence(error)
        case let absence as WorkerAbsence: sentence(absence)
        case let mistake as MenuContext.Mistake: sentence(mistake)
        case let failure as SetupFailure: sentence(failure)
        case let error as SecretStoreError: error.sentence
        case let failure as ListedItem.Failure: sentence(failure)
        default: nil
        }
    }

    /// The exit status of a command that fails with an error.
    static func status(of error: any Error) -> ExitStatus {
        let isUsage = error is MenuContext.Mistake || error is MistypedCommand
        return (error as? CommandFailure)?.status ?? (isUsage ? .usage : .failed)
    }

    /// What an error means. What a service said itself is followed by the command that helps.
    private static func sentence(_ error: DBusError, _ advice: String?) -> String {
        if let obstacle = WorkerCheck.obstacle(behind: error) { return obstacle.sentence }
        let failure = ServiceFailure(error)
        guard case .said(let said) = failure, let advice else { return sentence(failure) }
        return TextList.ofSentences([said, advice])
    }

    private static func sentence(_ failure: ServiceFailure) -> String {
        switch failure {
        case .missing(let service): Self.notStartable(isWorker: service == .worker)
        case .notStarted(let service, let reason): Self.notStarted(isWorker: service == .worker, trimmed(reason))
        case .late(let service, let reason): Self.late(isWorker: service == .worker, trimmed(reason))
        case .busClosed: Self.busClosed
        case .otherVersion:
            tr(
                """
                The service that runs cannot do this; it may be of another version than this command. If it was \
                updated, restart it: systemctl --user restart roundeld roundel-worker
                """)
        case .said(let sentence): sentence
        }
    }

    /// A message without its full stop, for use within a sentence.
    private static func trimmed(_ message: String) -> String {
        message.hasSuffix(".") ? String(message.dropLast()) : message
    }

    private static func sentence(_ error: ClientError) -> String {
        switch error {
        case .notOffered(let engine, let interface): Self.notOffered(interface, by: engine)
        case .notInstalled(let engine): tr("The engine “{1}” is not installed. See: roundel providers", engine)
        case .engineCannot(let engine): tr("{1} cannot do this.", engine)
        case .engineSilent(let engine): tr("{1} does not run or does not answer. See: roundel providers", engine)
        case .notInFolder(let item): tr("“{1}” is not in a synced folder. See: roundel list", item.sentencePath)
        case .notAFolder(let item): tr("“{1}” is not a synced folder. See: roundel list", item.sentencePath)
        case .unfinished: tr("The sync is not finished yet; it goes on. See: roundel status")
        case .busClosed: Self.busClosed
        case .loginKeptByRclone: LoginArgument.rcloneKeepsLogins
        case .needsNoLogin(let folder):
            tr("“{1}” syncs with a directory, which needs no login.", WorkerPath.sentence(folder))
        case .disabledAction(let label, let id): tr("“{1}” ({2}) cannot be chosen at the moment.", label, id)
        case .unknownAction(let id): tr("No menu for this has an item {1}. See: roundel menu items PATH", id)
        case .serviceLeft: tr("The badge service went away before the action was finished.")
        }
    }

    private static func sentence(_ absence: WorkerAbsence) -> String {
        switch absence {
        case .failed(let error): of(error)
        case .late:
            tr("The sync worker does not answer yet, so its folders are not known. Try again, or see: roundel doctor")
        }
    }

    private static func sentence(_ mistake: MenuContext.Mistake) -> String {
        switch mistake {
        case .noItem: tr("A menu of items needs at least one PATH.")
        case .severalItems: tr("A menu of this kind is for one PATH.")
        }
    }

    private static func sentence(_ failure: SetupFailure) -> String {
        switch failure {
        case .installationUnknown: tr("It cannot be found out where Roundel is installed: is /proc mounted?")
        case .cannotMake(let path, let error):
            tr("“{1}” cannot be made: {2}.", path.displayed, SystemError.description(of: error.rawValue))
        case .cannotRead(let path, let error):
            tr("“{1}” cannot be read: {2}.", path.displayed, SystemError.description(of: error.rawValue))
        case .cannotWrite(let path, let error):
            tr("“{1}” cannot be written: {2}.", path.displayed, SystemError.description(of: error.rawValue))
        case .cannotRemove(let path, let error):
            tr("“{1}” cannot be removed: {2}.", path.displayed, SystemError.description(of: error.rawValue))
        case .notTheInstallers(let path): tr("“{1}” is no file of the person who installed Roundel.", path.displayed)
        case .foreignVariables(let path):
            tr(
                """
                “{1}” was not written by `roundel setup`, so it is left as it is. Give it another name, and run \
                `roundel setup` again.
                """, path.displayed)
        case .stubborn(let program, let process): tr("{1} (process {2}) does not end.", program, "\(process)")
        case .noHelper(let name): tr("This installation has no {1}, which writes the emblems.", name)
        case .helperNotStarted(let name): tr("{1} could not be started.", name)
        case .helperEnded(let name): tr("{1} was started and does not run.", name)
        }
    }

    private static func sentence(_ failure: ListedItem.Failure) -> String {
        switch failure {
        case .opening(let directory, let error):
            tr("“{1}” cannot be listed: {2}.", directory.displayed, SystemError.description(of: error.rawValue))
        case .reading(let directory, let error):
            tr("“{1}” cannot be read: {2}.", directory.displayed, SystemError.description(of: error.rawValue))
        }
    }

    static var busClosed: String { tr("The session bus closed the connection.") }

    private static func notStartable(isWorker: Bool) -> String {
        isWorker
            ? tr(
                """
                The sync worker does not run, and the bus does not know how to start it. Is Roundel installed? Start it \
                by hand with: roundel-worker &
                """)
            : tr(
                """
                The badge service does not run, and the bus does not know how to start it. Is Roundel installed? Start \
                it by hand with: roundeld &
                """)
    }

    private static func late(isWorker: Bool, _ reason: String) -> String {
        isWorker
            ? tr("The sync worker did not answer in time: {1}. See: roundel doctor", reason)
            : tr("The badge service did not answer in time: {1}. See: roundel doctor", reason)
    }

    private static func notStarted(isWorker: Bool, _ reason: String) -> String {
        isWorker
            ? tr("The sync worker could not be started: {1}. To see why, run: roundel-worker", reason)
            : tr("The badge service could not be started: {1}. To see why, run: roundeld", reason)
    }

    /// What an engine does not do, by the interface that it does not offer.
    static func notOffered(_ interface: EngineInterface, by engine: String) -> String {
        switch interface {
        case .folders: tr("{1} only shows badges: its folders are managed in its own program.", engine)
        case .conflicts: tr("{1} does not report conflicts.", engine)
        case .trash: tr("{1} does not keep deleted or replaced files.", engine)
        case .network: tr("{1} has no settings for its use of the network.", engine)
        case .accounts: tr("{1} does not log in through Roundel.", engine)
        case .verification: tr("{1} cannot compare both sides of its folders.", engine)
        case .contents: tr("{1} keeps the contents of all its files on this computer.", engine)
        case .shares: tr("{1} does not share files with others.", engine)
        case .remotes: tr("{1} does not look for what its folders could sync with.", engine)
        }
    }
}
