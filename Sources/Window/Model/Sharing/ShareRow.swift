package import RoundelBus
internal import Support

/// A share that there is, in words.
package struct ShareRow: Equatable, Sendable {
    package let id: String
    /// With whom.
    package let whom: String
    /// What they may do, until when, and whether with a password.
    package let terms: String
    /// The link, which can be copied; nil for a share with people.
    package let address: String?
    /// Whether it can be changed here.
    package let isEditable: Bool

    package init(_ share: SyncShare) {
        id = share.id
        address = share.address
        let name = share.name ?? share.with ?? ""
        isEditable =
            switch share.kind.known {
            case .link?, .user?, .group?: true
            case .other?, nil: false
            }
        whom =
            switch share.kind.known {
            case .link?: tr("Everybody who has the link")
            case .group?: tr("{1} (group)", name)
            case .user?, .other?, nil: name
            }
        let rights: String =
            switch share.rights.known {
            case .view?: tr("May see it")
            case .edit?: tr("May edit it")
            case .upload?: tr("May only upload")
            case .other?, nil: tr("Other rights")
            }
        let end = share.until.map { tr("until {1}", $0) } ?? tr("without an end")
        terms = ([rights, end] + (share.hasPassword ? [tr("with a password")] : [])).joined(separator: ", ")
    }

    /// What a screen reader says of the row.
    package var spoken: String { "\(whom), \(terms)" }

    /// What a screen reader calls the button that changes the share.
    package var editName: String { tr("Change the share with {1}", whom) }

    /// What a screen reader calls the button that ends the share.
    package var endName: String { tr("End the share with {1}", whom) }
}

extension SyncShare.Rights {
    /// As a choice; nil for what cannot be chosen.
    package var choice: String? {
        switch self {
        case .view: tr("See and download")
        case .edit: tr("Edit")
        case .upload: tr("Upload only")
        case .other: nil
        }
    }
}
