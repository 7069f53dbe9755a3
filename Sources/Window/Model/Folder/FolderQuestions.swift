internal import Client
package import DBus
package import RoundelBus

/// Asks the engine of one folder what its preferences show.
package struct FolderQuestions: Sendable {
    private let engines: Engines
    private let folder: ItemURI

    /// The questions about a folder, to the engines on this bus.
    package init(_ folder: ItemURI, bus: AsyncConnection) {
        engines = Engines(bus: bus)
        self.folder = folder
    }

    /// What is not synced; nil if the engine has no patterns.
    package func excludes() async -> ExcludesPage? {
        try? await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
            let (patterns, bundled) = try await engine.listExcludes(folder.uri)
            let found = try? await engine.listExcluded(folder.uri)
            return ExcludesPage(
                folder: folder, patterns: patterns, bundled: bundled, items: found?.items,
                hasMore: found?.hasMore ?? false)
        }
    }

    /// Whether a name or a path below the folder is synced, as a sentence.
    package func verdict(on path: String) async -> String {
        do {
            return try await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
                ExclusionWords.verdict(try await engine.tryExcludes(path, in: folder.uri), in: folder)
            }
        } catch { return Sentence.of(error) }
    }

    /// The space on both sides.
    package func space() async -> SyncSpace {
        let told = try? await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
            try await engine.space(folder.uri)
        }
        return told ?? SyncSpace()
    }

    /// The limits of the network; nil if the folder has none.
    package func network() async -> NetworkForm? {
        let report = try? await engines.ask(ownerOf: folder) { (engine: NetworkProxy) in
            try await engine.networkUse(at: folder)
        }
        return report.map { NetworkForm($0) }
    }

    /// Sets the limits of the network.
    package func set(_ use: SyncNetworkUse) async throws {
        try await engines.ask(ownerOf: folder) { (engine: NetworkProxy) in
            try await engine.setNetworkUse(use, of: folder.uri)
        }
    }
}
