import Client
import DBus
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
        case let error as DBusError: WorkerCheck.explanation(of: error) ?? sentence(ServiceFailure(error))
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
        (error as? CommandFailure)?.status ?? (error is MenuContext.Mistake ? .usage : .failed)
    }

    private static func sentence(_ failure: ServiceFailure) -> String {
        switch failure {
        case .missing(let service): Text.notStartable(isWorker: service == .worker)
        case .notStarted(let service, let reason): Text.notStarted(isWorker: service == .worker, trimmed(reason))
        case .late(let service, let reason): Text.late(isWorker: service == .worker, trimmed(reason))
        case .busClosed: Text.busClosed
        case .otherVersion: Text.otherVersion
        case .said(let sentence): sentence
        }
    }

    /// A message without its full stop, for use within a sentence.
    private static func trimmed(_ message: String) -> String {
        message.hasSuffix(".") ? String(message.dropLast()) : message
    }

    private static func sentence(_ error: ClientError) -> String {
        switch error {
        case .notOffered(let engine, let interface): Text.notOffered(interface, by: engine)
        case .engineCannot(let engine): Text.engineCannot(engine)
        case .engineSilent(let engine): Text.engineSilent(engine)
        case .notInFolder(let item): Text.notInFolder(item.sentencePath)
        case .notAFolder(let item): Text.notAFolder(item.sentencePath)
        case .unfinished: Text.unfinishedRun
        case .busClosed: Text.busClosed
        case .loginKeptByRclone: Text.rcloneKeepsLogins
        case .needsNoLogin(let folder): Text.needsNoLogin(WorkerPath.sentence(folder))
        case .disabledAction(let label, let id): Text.disabledAction(label, id: id)
        case .unknownAction(let id): Text.unknownAction(id)
        case .serviceLeft: Text.serviceLeftAction
        }
    }

    private static func sentence(_ absence: WorkerAbsence) -> String {
        switch absence {
        case .failed(let error): of(error)
        case .late: Text.workerLate
        }
    }

    private static func sentence(_ mistake: MenuContext.Mistake) -> String {
        switch mistake {
        case .noItem: Text.menuNeedsPath
        case .severalItems: Text.menuNeedsOnePath
        }
    }

    private static func sentence(_ failure: SetupFailure) -> String {
        switch failure {
        case .installationUnknown: Text.installationUnknown
        case .cannotMake(let path, let error): Text.cannotMake(path.displayed, because: error.rawValue)
        case .cannotRead(let path, let error): Text.cannotRead(path.displayed, because: error.rawValue)
        case .cannotWrite(let path, let error): Text.cannotWrite(path.displayed, because: error.rawValue)
        case .cannotRemove(let path, let error): Text.cannotRemove(path.displayed, because: error.rawValue)
        case .notTheInstallers(let path): Text.notTheInstallers(path.displayed)
        case .foreignVariables(let path): Text.foreignVariables(path.displayed)
        case .stubborn(let program, let process): Text.stubborn(program, process)
        case .noHelper(let name): Text.noHelper(name)
        case .helperNotStarted(let name): Text.helperNotStarted(name)
        case .helperEnded(let name): Text.helperEnded(name)
        }
    }

    private static func sentence(_ failure: ListedItem.Failure) -> String {
        switch failure {
        case .opening(let directory, let error): Text.cannotList(directory.displayed, because: error.rawValue)
        case .reading(let directory, let error): Text.cannotRead(directory.displayed, because: error.rawValue)
        }
    }
}
