internal import Rclone
internal import RoundelBus
internal import SyncCore

/// Finds out whether a folder can be synced with a remote of rclone.
enum RemoteCheck {
    /// Asks rclone and the service behind it, which takes some seconds; nil if it works.
    ///
    /// - Parameter label: The display name of the folder.
    static func run(_ location: RcloneLocation, _ service: RcloneService, label: String) async -> WorkerError? {
        do throws(RcloneFailure) {
            try await RcloneCheck.run(RcloneClient(location, service))
            return nil
        } catch {
            return await refusal(error, location, service, label)
        }
    }

    private static func refusal(
        _ error: RcloneFailure, _ location: RcloneLocation, _ service: RcloneService, _ label: String
    ) async -> WorkerError {
        let sentence = Explainer(folder: label).sentence(RcloneTrouble(location).explanation(error, at: .root))
        switch error.reason {
        case .noProgram: return WorkerError(.unsupportedRemote, sentence)
        case .loginNeeded: return WorkerError(.loginNeeded, sentence)
        case .notConfigured: return await offering(service, after: sentence)
        case .denied: return .remoteReadOnly(location)
        case .refused where error.status == nil: return .noBucket(location)
        case .refused, .malformed: return .remoteUnclear(location)
        case .notFound, .notDirectory, .untrusted: return WorkerError(.invalidRemote, sentence)
        case .notStarted, .ended, .silent, .cancelled, .unreachable, .busy, .notEmpty, .noSpace, .changed, .taken,
            .nameClash:
            return WorkerError(.failed, sentence)
        }
    }

    /// A refusal that lists the remotes that the user has configured.
    static func offering(_ service: RcloneService, after sentence: String) async -> WorkerError {
        do throws(RcloneFailure) {
            return .remoteOffers(try await service.remotes(), after: sentence)
        } catch {
            return WorkerError(.invalidRemote, sentence)
        }
    }
}
