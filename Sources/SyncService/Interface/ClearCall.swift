internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore

/// One call of Clear. The folder must wait for a login: otherwise what is taken away would come again at once.
struct ClearCall {
    private let call: MethodCall
    private let removesLocal: Bool
    private unowned let service: Worker

    static func begin(_ unit: FolderUnit, _ call: MethodCall, _ options: VariantMap, _ service: Worker) {
        let clearing = ClearCall(
            call: call, removesLocal: options.bool("remove-local") == true, service: service)
        if unit.status.phase == .offline, RemoteAbsence(unit.status.message) == .login {
            return clearing.clear(unit)
        }
        guard unit.remote.needsNetwork else { return call.fail(WorkerError.needsNoLogin(unit).busError) }
        let id = unit.settings.id
        let isBegun = service.blocking.ask { [remote = unit.remote] () -> Bool in
            do throws(RemoteRefusal) {
                _ = try await remote.tryOut()
                return false
            } catch {
                return error.reason == .loginNeeded
            }
        } answer: { needsLogin in
            guard let unit = service.folders.unit(withID: id) else {
                return call.fail(WorkerError.unknownFolder(id).busError)
            }
            if needsLogin { clearing.clear(unit) } else { call.fail(WorkerError.needsNoLogin(unit).busError) }
        }
        if !isBegun { call.fail(WorkerError.tooMuchWaits.busError) }
    }

    private func clear(_ unit: FolderUnit) {
        do throws(WorkerError) { try OnDemandCall.requireNone(for: unit, service) } catch {
            return call.fail(error.busError)
        }
        // The files are removed in the folder, whose kernel would otherwise show them still.
        guard unit.isThere else {
            return call.fail(
                WorkerError(
                    .failed, tr("“{1}” is not mounted, so nothing was removed. Try again.", unit.settings.label)
                ).busError)
        }
        service.book.clear(unit, removesLocal: removesLocal) { [call] result in
            switch result {
            case .failure(let error): call.fail(error.busError)
            case .success(let cleared):
                call.reply { writer in
                    try writer.append(map: cleared.map)
                    try writer.appendNoExtras()
                }
            }
        }
    }
}

extension WorkerError {
    fileprivate static func needsNoLogin(_ unit: FolderUnit) -> WorkerError {
        WorkerError(
            .failed,
            tr(
                "“{1}” does not wait for a login, so what is removed would be downloaded again. Log out first.",
                unit.settings.label))
    }
}
