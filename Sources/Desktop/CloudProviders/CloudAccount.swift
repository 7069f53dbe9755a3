internal import BadgeService
internal import RoundelBus
internal import SystemPackage

/// A registered folder with the properties of `org.freedesktop.CloudProviders.Account`.
struct CloudAccount: Equatable {
    /// The name of the row in the sidebar.
    let name: String
    /// The target of the row: the part that file managers append to `file://`.
    let path: String
    /// A GIcon in its text form.
    let icon: String
    let status: Status
    /// The text shown when the pointer rests on the row.
    let details: String

    /// The values of the property `Status`; file managers hide a row whose status is 0.
    enum Status: Int32 {
        case idle = 1
        case syncing = 2
        case error = 3
    }

    init(_ folder: HostedFolder) {
        name = folder.displayName
        path = Self.path(folder.folder)
        icon = Self.icon(folder.icon)
        status = Self.status(folder.status.state)
        details = folder.status.text
    }

    /// The last element of the account's object path, which is always the same for a folder.
    static func identifier(of folder: ItemURI) -> String {
        // FNV-1a, because an object path cannot contain all characters of a file's path or be as long.
        let hash = folder.uri.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "folder_" + String(hash, radix: 16)
    }

    /// The path, encoded only if it would otherwise have another meaning in a URI or cannot be sent.
    private static func path(_ folder: ItemURI) -> String {
        guard let plain = String(validating: folder.filePath), !plain.utf8.contains(where: isSpecial) else {
            return folder.path
        }
        return plain
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || [UInt8(ascii: "%"), UInt8(ascii: "#"), UInt8(ascii: "?")].contains(byte)
    }

    /// If no theme has the icon, its place would be empty, so a plain folder's is used.
    private static func icon(_ name: String) -> String {
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return ". GThemedIcon \(isName ? name : "org.roundel.Roundel") folder-symbolic"
    }

    private static func status(_ state: FolderState) -> Status {
        switch state {
        case .syncing: .syncing
        case .attention, .error: .error
        case .unknown, .idle, .paused: .idle
        }
    }
}
