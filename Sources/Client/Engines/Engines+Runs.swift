package import RoundelBus

/// The long calls of engines: of the one that owns an item, or for nil of all that offer them.
extension Engines {
    /// A run; its progress is the state of its folders. It goes on in the engines if the call is abandoned.
    /// - Parameter options: The options of the run; it is waited for.
    package func run(
        _ item: ItemURI?, options: FoldersProxy.SyncOptions
    ) async throws -> LongCall<SyncFolderStatus, SyncRunResult> {
        try await longCall(item) { (proxy: FoldersProxy) in
            proxy.run(item?.uri ?? "", options: options)
        } sum: {
            SyncRunResult(sumOf: $0)
        }
    }

    /// The comparison of an item, and of everything below it, on both sides.
    package func verification(of item: ItemURI?) async throws -> LongCall<SyncVerification, SyncVerification> {
        try await longCall(item) { (proxy: VerificationProxy) in
            proxy.verification(of: item?.uri ?? "")
        } sum: {
            SyncVerification(sumOf: $0)
        }
    }

    /// Restores what was replaced or deleted since a moment, with arguments as for `TrashProxy`.
    package func restoration(
        of item: ItemURI?, since moment: Int64, to target: String?
    ) async throws -> LongCall<(done: UInt64, total: UInt64), SyncRestoration> {
        let start = { @Sendable (proxy: TrashProxy) in
            proxy.restoration(of: item?.uri ?? "", since: moment, to: target)
        }
        return try await longCall(item, start) { SyncRestoration(sumOf: $0) }
    }

    private func longCall<Proxy: EngineProxy, Progress, Outcome>(
        _ item: ItemURI?, _ start: (Proxy) -> LongCall<Progress, Outcome>,
        sum: @escaping @Sendable ([Outcome]) -> Outcome
    ) async throws -> LongCall<Progress, Outcome> {
        let calls = try await concerned(item, by: Proxy.interface).map { engine in
            (engine, start(Proxy(bus: bus, engine: engine.address)))
        }
        return LongCall(bus: bus, of: calls, sum: sum)
    }
}

extension FoldersProxy {
    /// A run of the engine; its progress is the state of its folders.
    /// - Parameters:
    ///   - folder: The ID of a folder or a URI in it; "" for all.
    ///   - options: The options of the run; it is waited for.
    package func run(_ folder: String, options: SyncOptions) -> LongCall<SyncFolderStatus, SyncRunResult> {
        var options = options
        options.wait = true
        let request = options
        return LongCall(bus: bus) { merge in
            merge.add(try statusChanges()) { $0.isConcerned(by: folder) ? .progress($0) : nil }
        } call: {
            try await sync(folder, options: request)
        }
    }
}

extension VerificationProxy {
    /// The comparison of an item, and of everything below it, on both sides; of all folders for "".
    package func verification(of uri: String) -> LongCall<SyncVerification, SyncVerification> {
        LongCall(bus: bus) { merge in
            merge.add(try verificationProgress()) { .progress($0) }
        } call: {
            try await verify(uri)
        }
    }
}

extension TrashProxy {
    fileprivate func restoration(
        of uri: String, since moment: Int64, to target: String?
    ) -> LongCall<(done: UInt64, total: UInt64), SyncRestoration> {
        LongCall(bus: bus) { merge in
            merge.add(try restorationProgress()) { .progress($0) }
        } call: {
            try await restoreTrash(uri, since: moment, to: target)
        }
    }
}

extension SyncFolderStatus {
    /// Whether a run that was asked for with this argument concerns the folder.
    fileprivate func isConcerned(by folder: String) -> Bool {
        folder.isEmpty || folder == id || folder == uri || folder.hasPrefix(uri + "/")
    }
}
