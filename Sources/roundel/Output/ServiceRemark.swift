import Client
import DBus
import RoundelBus
import Support

/// What a status has to say of Roundel's services, because folders are not synced or shown as usual.
enum ServiceRemark: Equatable {
    /// The badge service does not run, so that the worker is not told of changes.
    case noService
    /// The user turned Roundel off as a provider.
    case turnedOff

    /// Nil if there is nothing to say.
    static func of(_ report: StatusReport, on bus: AsyncConnection) async -> ServiceRemark? {
        guard (try? await bus.owner(of: Names.service)) ?? nil != nil else {
            return report.isWatching == false ? .noService : nil
        }
        let providers = (try? await ProvidersProxy(bus: bus).list()) ?? []
        let own = providers.first { $0.id.rawValue == Names.workerProviderID }
        return own?.enabled == false ? .turnedOff : nil
    }

    var sentence: String {
        switch self {
        case .noService: tr("The badge service is not running, so folders are scanned once a minute.")
        case .turnedOff:
            tr(
                """
                Roundel is turned off as a provider: it does not start with the session, and shows no badges and menus. \
                To turn it on: roundel providers enable roundel
                """)
        }
    }
}
