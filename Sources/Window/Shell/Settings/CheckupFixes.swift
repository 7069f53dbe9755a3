internal import DBus
internal import RoundelBus
internal import Setup
internal import WindowModel

/// Carries out what mends findings.
@Interface
struct CheckupFixes {
    private let lead: @Interface (CheckupFix) -> Void

    /// - Parameter lead: Shows what a fix leads to in the other windows.
    init(_ lead: @escaping @Interface (CheckupFix) -> Void) { self.lead = lead }

    /// Whether a fix is made elsewhere, where the user is led.
    static func leadsAway(_ fix: CheckupFix) -> Bool {
        switch fix {
        case .addFolder, .showProblems, .showEngine: true
        case .setUp, .restartService, .turnOnBundled, .startWorker: false
        }
    }

    /// Carries a fix out.
    /// - Returns: Why it could not be, as a sentence; nil if it was.
    func carryOut(_ fix: CheckupFix) async -> String? {
        do {
            switch fix {
            case .addFolder, .showProblems, .showEngine: lead(fix)
            case .setUp(let emblems):
                let setup = SetupRun(try .ofThisProgram(), managers: SupportedFileManager.all, isForAll: true)
                // Who may ask for an administrator's password here is not known; what is left is found again.
                _ = try await setup.put(emblems: emblems) { _ in false }
            case .restartService(let isManaged): try await ServiceRestart.perform(isManaged: isManaged)
            case .turnOnBundled:
                try await ProvidersProxy(bus: try await .open(.session)).enable(Names.workerProviderID)
            case .startWorker: _ = try await FoldersProxy(bus: try await .open(.session)).status("")
            }
            return nil
        } catch let failure as SetupFailure {
            return CheckupPage(failure: failure).summary
        } catch {
            return Sentence.of(error)
        }
    }
}
