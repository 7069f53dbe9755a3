package import RoundelBus

/// What is known of one folder: what the badge service remembers about the folders of all providers, and more if its
/// engine says it.
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

        /// The states from the worst to the best.
        private static let order: [State] = [
            .badge(.error), .badge(.conflict), .attention, .badge(.syncing), .badge(.pending), .badge(.paused),
            .unknown, .badge(.onlineOnly), .badge(.synced),
        ]

        /// The worst of some states; unknown if there are none.
        static func worst(of states: [State]) -> State {
            order.first { states.contains($0) } ?? states.first ?? .unknown
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
    /// Details from the engine; nil for folders of providers that show badges only, and if the engine does not respond.
    package let details: SyncFolderStatus?
    /// The engine with these details.
    let engine: Engine?

    /// From the state that the badge service remembers.
    package init(uri: ItemURI, _ status: FolderStatus) {
        self.uri = uri
        state = State(status.state)
        text = status.text
        percent = status.progress <= 100 ? status.progress : nil
        details = nil
        engine = nil
    }

    /// From an engine's state; nil if its URI is not one of a local folder.
    package init?(_ status: SyncFolderStatus, of engine: Engine = .bundled) {
        guard let uri = try? ItemURI(status.uri) else { return nil }
        self.uri = uri
        state = .badge(status.state)
        text = status.text
        percent = status.progress <= 100 ? status.progress : nil
        details = status
        self.engine = engine
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
