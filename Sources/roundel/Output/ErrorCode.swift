import Client
import DBus
import RoundelBus
import Secrets
import Setup
import Support

/// The codes of errors for programs, as `--json` prints them.
enum ErrorCode: String {
    /// The arguments are not valid.
    case usage
    /// There is no session bus.
    case noSessionBus = "no-session-bus"
    /// The session bus closed the connection.
    case busClosed = "bus-closed"
    /// A service of Roundel cannot be started.
    case notStarted = "not-started"
    /// A service of Roundel does not answer.
    case late
    /// A service of Roundel is of another version.
    case otherVersion = "other-version"
    /// The engine does not offer this.
    case notOffered = "not-offered"
    /// The engine is not installed.
    case unknownEngine = "unknown-engine"
    /// The sync goes on.
    case unfinished
    /// The remote needs no login.
    case needsNoLogin = "needs-no-login"
    /// The keyring cannot be used.
    case keyring
    /// A directory cannot be read.
    case unreadable
    /// File managers cannot be set up.
    case setup
    /// Anything else, which the message describes.
    case failed

    /// The code of an error. Those of the interfaces have their own names.
    static func word(of error: any Error) -> String {
        switch error {
        case let error as DBusError: error.roundelCode.map(kebab) ?? of(ServiceFailure(error)).rawValue
        case let error as AdvisedError: word(of: error.cause)
        case ClientError.notInFolder, ClientError.notAFolder: kebab(.unknownFolder)
        case ClientError.unknownAction: kebab(.unknownItem)
        default: of(error).rawValue
        }
    }

    private static func of(_ error: any Error) -> ErrorCode {
        switch error {
        case let failure as CommandFailure: failure.code
        case is MistypedCommand, is MenuContext.Mistake: .usage
        case let error as DBusError: of(ServiceFailure(error))
        case let error as ClientError: of(error)
        case let absence as WorkerAbsence: of(absence)
        case is SetupFailure: .setup
        case is SecretStoreError: .keyring
        case is ListedItem.Failure: .unreadable
        default: .failed
        }
    }

    private static func of(_ failure: ServiceFailure) -> ErrorCode {
        switch failure {
        case .missing, .notStarted: .notStarted
        case .late: .late
        case .busClosed: .busClosed
        case .otherVersion: .otherVersion
        case .said: .failed
        }
    }

    private static func of(_ absence: WorkerAbsence) -> ErrorCode {
        switch absence {
        case .failed(let error): of(error)
        case .late: .late
        }
    }

    private static func of(_ error: ClientError) -> ErrorCode {
        switch error {
        case .notOffered, .engineCannot: .notOffered
        case .notInstalled: .unknownEngine
        case .engineSilent, .serviceLeft: .late
        case .unfinished: .unfinished
        case .busClosed: .busClosed
        case .loginKeptByRclone, .needsNoLogin: .needsNoLogin
        case .notInFolder, .notAFolder, .disabledAction, .unknownAction: .failed
        }
    }

    /// `UnknownFolder` becomes `unknown-folder`.
    private static func kebab(_ code: RoundelError.Code) -> String {
        code.rawValue.reduce(into: "") { word, letter in
            if letter.isUppercase, !word.isEmpty { word += "-" }
            word += letter.lowercased()
        }
    }
}

/// What `--json` prints on standard error, a line for each.
enum ErrorReport {
    /// `{"error":{"code":…,"message":…}}`.
    static func error(_ code: String, _ message: String, _ facts: [JSON.Member] = []) -> JSON {
        .object([
            .init("error", .object([.init("code", .string(code)), .init("message", .string(message))] + facts))
        ])
    }

    /// What a person should know beside the result: `{"notice":{"message":…}}`.
    static func notice(_ message: String) -> JSON {
        .object([.init("notice", .object([.init("message", .string(message))]))])
    }

    /// What an error is about.
    static func facts(of error: any Error) -> [JSON.Member] {
        switch error {
        case ClientError.notInFolder(let item), ClientError.notAFolder(let item): JSON.item(item.uri)
        case let mistake as MistypedCommand: [.init("suggestion", .optional(mistake.suggestion, JSON.string))]
        default: []
        }
    }
}
