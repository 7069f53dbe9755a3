package import RoundelBus

/// What is known of one folder: what the badge service remembers about the folders of all providers, and more if the
/// bundled worker responds.
package struct FolderSummary: Sendable, Equatable {
    /// The state of a folder.
    package enum State: Hashable, Sendable {
        /// Its provider does not run, or has not reported a state yet.
        case unknown
        /// It needs the user's attention.
        case attention
        /// The worst state in the folder.
        case badge(Badge)

        /// The word for it in JSON: that of the badge with the same meaning, if there is one.
        package var word: String {
            switch self {
            case .unknown: "unknown"
            case .attention: "attention"
            case .badge(let badge): badge.identifier
            }
        }

        fileprivate init(_ state: FolderState) {
            self =
                switch state {
                case .unknown: .unknown
                case .idle: .badge(.synced)
                case .syncing: .badge(.syncing)
                case .attention: .attention
                case .error: .badge(.error)
                case .paused: .badge(.paused)
                }
        }
    }

    /// The folder.
    package let uri: ItemURI
    /// Its state.
    package let state: State
    /// A sentence of its provider for the user; may be empty.
    package let text: String
    /// The progress in percent; nil for none.
    package let percent: UInt8?
    /// Details from the worker; nil for folders of other providers and if the worker does not respond.
    package let details: SyncFolderStatus?

    /// From the state that the badge service remembers.
    package init(uri: ItemURI, _ status: FolderStatus) {
        self.uri = uri
        state = State(status.state)
        text = status.text
        percent = status.progress <= 100 ? status.progress : nil
        details = nil
    }

    /// From the worker's state; nil if its URI is not one of a local folder.
    package init?(_ status: SyncFolderStatus) {
        guard let uri = try? ItemURI(status.uri) else { return nil }
        self.uri = uri
        state = .badge(status.state)
        text = status.text
        percent = status.progress <= 100 ? status.progress : nil
        details = status
    }

    /// The folders that the badge service remembers.
    static func summaries(of properties: HostProperties) -> [FolderSummary] {
        properties.folderStatus.map { FolderSummary(uri: $0.key, $0.value) }
    }

    /// The name shown to the user.
    package var label: String { details?.shownLabel ?? uri.displayName }

    /// Whether syncing is stopped or incomplete until the user decides something.
    package var needsUser: Bool {
        let hasTrouble =
            switch state {
            case .attention, .badge(.conflict), .badge(.error): true
            case .unknown, .badge: false
            }
        guard let details else { return hasTrouble }
        return hasTrouble || details.conflicts > 0 || details.errors > 0 || details.needs != nil
    }
}
