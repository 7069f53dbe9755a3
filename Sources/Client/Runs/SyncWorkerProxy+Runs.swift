package import RoundelBus

/// The long calls of the worker.
extension SyncWorkerProxy {
    /// A run; its progress is the state of its folders. It goes on in the worker if the call is abandoned.
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

    /// The comparison of an item, and of everything below it, on both sides; of all folders for "".
    package func verification(of uri: String) -> LongCall<SyncVerification, SyncVerification> {
        LongCall(bus: bus) { merge in
            merge.add(try verificationProgress()) { .progress($0) }
        } call: {
            try await verify(uri)
        }
    }

    /// Restores what was replaced or deleted since a moment, with arguments as for ``restoreTrash(_:since:to:)``.
    package func restoration(
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

extension SyncRunResult {
    /// Whether something is left for the user: conflicts, errors, and whatever still waits when a run has ended, such as
    /// a file that a program keeps open.
    package var needsUser: Bool {
        !waiting.isEmpty || conflicts > 0 || errors > 0 || needs != nil || state == .conflict || state == .error
            || state == .pending
    }
}
