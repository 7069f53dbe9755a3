package import DBus
internal import RoundelBus

/// A call of a provider to `org.roundel.Roundel1.Registry`.
package enum ProviderCall: Sendable {
    /// - Parameter ownsName: Whether the caller owns the bus name of its manifest; nil without a manifest.
    case register(object: ObjectPath, options: VariantMap, ownsName: Bool?)
    case setFolders([Folder])
    case setBadgeImages([Image])
    case storePicture(name: String)
    case updateBadges(Update)
    case setFolderStatus(folder: String, state: UInt32, text: String, progress: UInt8, options: VariantMap)
    case flush(folder: String)
    case unregister

    /// A folder as it was given.
    package struct Folder: Sendable {
        let uri: String
        let options: VariantMap

        package init(uri: String, options: VariantMap) {
            self.uri = uri
            self.options = options
        }
    }

    /// A badge image as it was given.
    package struct Image: Sendable {
        let badge: String
        let label: String
        let icon: String

        package init(badge: String, label: String, icon: String) {
            self.badge = badge
            self.label = label
            self.icon = icon
        }
    }

    /// Changed badges as they were given.
    package struct Update: Sendable {
        let directory: String
        let names: [String]
        let values: Columns

        package init(directory: String, names: [String], badges: [String], flags: Int, progress: [UInt8]) {
            self.directory = directory
            self.names = names
            values = Columns(badges: badges, flags: flags, progress: progress)
        }
    }

    /// The member that was called.
    var member: String {
        switch self {
        case .register: "Register"
        case .setFolders: "SetFolders"
        case .setBadgeImages: "SetBadgeImages"
        case .storePicture: "StorePicture"
        case .updateBadges: "UpdateBadges"
        case .setFolderStatus: "SetFolderStatus"
        case .flush: "Flush"
        case .unregister: "Unregister"
        }
    }
}

/// The values of some names.
struct Columns: Sendable {
    let badges: [String]
    /// The number of flags: each value is valid.
    let flags: Int
    let progress: [UInt8]

    /// Whether there is one value of each kind for each name, and every progress is one.
    func fit(_ count: Int) -> Bool {
        badges.count == count && flags == count && progress.count == count
            && progress.allSatisfy(Progress.isValid)
    }
}
