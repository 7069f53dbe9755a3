internal import Client
internal import DBus
internal import RoundelBus
internal import Secrets
internal import Support

/// Errors in words for somebody who uses no terminal.
package enum Sentence {
    /// What happened, and what to do.
    package static func of(_ error: any Error) -> String {
        switch error {
        case let error as DBusError: of(ServiceFailure(error))
        case let error as ClientError: of(error)
        case let error as SecretStoreError: error.sentence
        case WorkerAbsence.failed(let error): of(ServiceFailure(error))
        case WorkerAbsence.late: tr("Syncing does not answer yet.")
        default: "\(error)"
        }
    }

    private static func of(_ failure: ServiceFailure) -> String {
        switch failure {
        case .missing: tr("Roundel's service does not run and could not be started. Is Roundel installed completely?")
        case .notStarted(_, let reason): tr("Roundel's service could not be started: {1}", DisplayText.escaped(reason))
        case .late: tr("Roundel's service does not answer.")
        case .busClosed: tr("The session has ended.")
        case .otherVersion: tr("Roundel was updated. Log out and in again, so that all its parts are of one version.")
        case .said(let text): DisplayText.escaped(text)
        }
    }

    private static func of(_ error: ClientError) -> String {
        switch error {
        case .notOffered(let engine, _), .engineCannot(let engine): tr("{1} cannot do this.", engine)
        case .notInstalled(let engine): tr("“{1}” is not installed.", engine)
        case .engineSilent(let engine): tr("{1} does not run or does not answer.", engine)
        case .notInFolder(let item): tr("“{1}” is not in a synced folder.", item.sentencePath)
        case .notAFolder(let item): tr("“{1}” is not a synced folder.", item.sentencePath)
        case .unfinished: tr("The sync is not finished yet; it goes on.")
        case .busClosed: tr("The session has ended.")
        case .loginKeptByRclone: tr("The login of this folder is kept by rclone.")
        case .needsNoLogin(let folder):
            tr("“{1}” syncs with a directory, which needs no login.", ItemURI.displayPath(of: folder))
        case .disabledAction(let label, _): tr("“{1}” cannot be chosen at the moment.", label)
        case .unknownAction: tr("This cannot be chosen at the moment.")
        case .serviceLeft: tr("Roundel's service went away before the action was finished.")
        }
    }
}
