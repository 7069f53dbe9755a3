internal import Support

/// The rules of a host.
package enum HostRule: String, CheckRule {
    case observes
    case asks
    case valid
    case observedFirst = "observed-first"
    case ends
    case asksOnce = "asks-once"
    case pages
    case limits
    case reset
    case folders
    case unknown
    case refusals
    case stays
    case returns
    case version
    case menus
    case attributes

    package var sentence: String {
        switch self {
        case .observes: tr("It calls BeginObserving for the folder that it shows.")
        case .asks: tr("It asks for badges, by RequestBadges or RequestDirectory.")
        case .valid: tr("URIs are those of files, and names are one segment.")
        case .observedFirst: tr("It asks only in directories that it observes.")
        case .ends: tr("It ends only what it has begun.")
        case .asksOnce: tr("It does not ask again for what it is told.")
        case .pages: tr("It reads a directory to its last page.")
        case .limits: tr("It stays within the limits of directories, names and calls.")
        case .reset: tr("After Reset it begins again for what it shows.")
        case .folders: tr("When Folders changes, it begins again where the answer was false.")
        case .unknown: tr("It passes over badges, flags, keys and signals that it does not know.")
        case .refusals: tr("It goes on after an error that it does not know.")
        case .stays: tr("It goes on without the service.")
        case .returns: tr("When the service comes back, it begins again for what it shows.")
        case .version: tr("It does not use a service without a Version.")
        case .menus: tr("It chooses items of menus that it was given.")
        case .attributes: tr("It asks for 256 attributes of 1,024 bytes at most.")
        }
    }

    package var section: String {
        switch self {
        case .observes, .ends, .folders: "4.1"
        case .asks, .observedFirst, .asksOnce, .pages, .reset: "4.2"
        case .valid: "3"
        case .limits, .attributes: "8"
        case .unknown, .version: "9"
        case .refusals: "7"
        case .stays, .returns: "2"
        case .menus: "4.3"
        }
    }

    package var isRequired: Bool { true }
}
