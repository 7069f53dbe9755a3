internal import DBus

/// A prompt of the service: a question to the user that must be answered before a call takes effect.
struct SecretPrompt: Sendable {
    let service: SecretService
    let path: ObjectPath

    /// Nil if the path is "/", which means that there is no prompt.
    init?(_ path: ObjectPath, of service: SecretService) {
        guard path != .root else { return nil }
        self.service = service
        self.path = path
    }

    /// The reason why waiting for an answer ended.
    private enum End: Sendable {
        case completed(isDismissed: Bool)
        case serviceLeft
        case tooLate
        case refused(SecretStoreError)
    }

    /// Shows the prompt and waits until the user has answered.
    ///
    /// - Parameter patience: How long the user has; nil if the user must not be asked.
    /// - Throws: ``SecretStoreError/locked``, ``SecretStoreError/dismissed``, ``SecretStoreError/unanswered``. The
    ///   prompt is then no longer on the screen.
    func answer(within patience: Duration?) async throws {
        guard let patience else {
            dismiss()
            throw SecretStoreError.locked
        }
        switch try await end(within: patience) {
        case .completed(isDismissed: false): return
        case .completed(isDismissed: true): throw SecretStoreError.dismissed
        case .serviceLeft: throw SecretStoreError.noService
        case .refused(let error): throw error
        case .tooLate:
            dismiss()
            // If the task is cancelled, waiting ends early.
            throw Task.isCancelled ? SecretStoreError.cancelled : SecretStoreError.unanswered
        }
    }

    private func dismiss() { service.tell(path, SecretNames.promptInterface, "Dismiss") }

    private func end(within patience: Duration) async throws -> End {
        let rule = MatchRule(
            sender: service.owner, path: path, interface: SecretNames.promptInterface, member: "Completed")
        // The answer may arrive before the call that shows the prompt returns.
        let completions: AsyncStream<Bool> = try service.bus.signals(rule, buffering: 1) { _, reader in
            try reader.readBool()
        }
        return try await withThrowingTaskGroup(of: End?.self) { group in
            group.addTask {
                for await isDismissed in completions { return .completed(isDismissed: isDismissed) }
                return nil
            }
            group.addTask { [service] in
                for await owner in service.bus.owners(of: service.owner) where owner == nil { return .serviceLeft }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: patience, clock: .continuous)
                return .tooLate
            }
            group.addTask { [service, path] in
                do {
                    // Commands and the worker have no parent window for the prompt.
                    let parent = ""
                    try await service.call(
                        path, SecretNames.promptInterface, "Prompt", write: { try $0.append(parent) }, read: { _ in })
                    return nil
                } catch {
                    let error = SecretStoreError(error, calling: "Prompt")
                    // A service may reply to this call only after the user has answered; `patience` limits that.
                    return error == .silent ? nil : .refused(error)
                }
            }
            defer { group.cancelAll() }
            while let end = try await group.next() {
                if let end { return end }
            }
            return .tooLate
        }
    }
}
