package import RoundelBus

/// All that is known of one item.
package struct ItemFacts: Sendable, Equatable {
    /// The item.
    package let item: ItemURI
    /// What its provider says of it.
    package let attributes: [AttributeKey: AttributeValue]
    /// What failed, is in conflict or waits, of the item and of what is in it: some of many.
    package let problems: [SyncProblem]
    /// Why it is left out of syncing; nil if it is not, or if its engine does not tell.
    package let exclusion: SyncExclusion?
    /// Its status, if it is a synced folder.
    package let folder: SyncFolderStatus?

    /// The most problems that are asked for.
    private static let mostProblems: UInt32 = 10

    /// - Throws: `DBusError`, or ``ClientError/notInFolder(_:)``.
    package init(of item: ItemURI, engines: Engines) async throws {
        self.item = item
        attributes = try await HostProxy(bus: engines.bus).attributes(of: item)
        guard !attributes.isEmpty else { throw ClientError.notInFolder(item) }
        let told = try? await engines.ask(ownerOf: item) { (folders: FoldersProxy) in
            try await folders.problems(item.uri, limit: Self.mostProblems)
        }
        problems = told?.problems ?? []
        let statuses = try? await engines.ask(ownerOf: item) { (folders: FoldersProxy) in
            try await folders.status(item.uri, transfers: 0).folders
        }
        folder = statuses?.first { $0.uri == item.uri }
        guard case .string(Badge.excluded.identifier)? = attributes[.state] else {
            exclusion = nil
            return
        }
        exclusion = try? await engines.ask(ownerOf: item) { (folders: FoldersProxy) in
            try await folders.listExcluded(item.uri, limit: 1).items.first { $0.uri == item.uri }
        }
    }

    /// Its state; none if it is not known.
    package var state: Badge {
        guard case .string(let word)? = attributes[.state] else { return .none }
        return Badge(word)
    }

    /// The reason for its state, as a sentence; nil if there is none.
    package var reason: String? {
        if let own = problems.first(where: { $0.uri == item.uri }) { return own.message }
        guard case .string(let text)? = attributes[.message], !text.isEmpty else { return nil }
        return text
    }

    /// The problems of what is in it.
    package var inside: [SyncProblem] { problems.filter { $0.uri != item.uri } }

    /// Where its contents are; nil in a folder that is not on demand.
    package var contents: ItemContents? { ItemContents(attributes) }
}
