package import RoundelBus

/// Where contents are brought.
package enum ContentsMove: Hashable, Sendable {
    /// To this computer.
    case fetch
    /// Off this computer.
    case free
}

/// What engines did that were asked to move contents.
package struct ContentsOutcome: Sendable {
    /// What they did together.
    package let result: SyncContentsResult
    /// Why engines did nothing.
    package let failures: [any Error]

    fileprivate init(_ answers: EngineAnswers<SyncContentsResult>) {
        result = SyncContentsResult(sumOf: answers.answers)
        failures = answers.failures + answers.unable
    }
}

extension Engines {
    /// Brings the contents of items to this computer, or deletes them there. It is given up if the call is abandoned.
    ///
    /// If items are of several engines, the progress is that of each in turn.
    /// - Throws: ``ClientError`` if an item's engine cannot do it. The call fails if no engine did anything.
    package func move(
        _ move: ContentsMove, _ items: [ItemURI]
    ) async throws(ClientError) -> LongCall<SyncContentsProgress, ContentsOutcome> {
        let bus = bus
        let parts = try await owners(of: items, offering: .contents).map { engine, items in
            (engine, ContentsProxy(bus: bus, engine: engine.address), items.map(\.uri))
        }
        return LongCall(bus: bus) { merge in
            for (_, proxy, _) in parts { merge.add(try proxy.progress()) { .progress($0) } }
        } call: {
            ContentsOutcome(
                try await Engines.answers(
                    to: parts.map { engine, proxy, uris in
                        let call = { @Sendable in
                            switch move {
                            case .fetch: try await proxy.fetch(uris)
                            case .free: try await proxy.free(uris)
                            }
                        }
                        return (engine, call)
                    }))
        }
    }

    /// Always keeps the contents of items on this computer, or no longer.
    /// - Returns: Why engines did not do it.
    /// - Throws: ``ClientError``, or the error of an engine if none did it.
    package func setPinned(_ isPinned: Bool, _ items: [ItemURI]) async throws -> [any Error] {
        let bus = bus
        let answers = try await Engines.answers(
            to: try await owners(of: items, offering: .contents).map { engine, items in
                let (proxy, uris) = (ContentsProxy(bus: bus, engine: engine.address), items.map(\.uri))
                let call = { @Sendable in
                    if isPinned { try await proxy.pin(uris) } else { try await proxy.unpin(uris) }
                }
                return (engine, call)
            })
        return answers.failures + answers.unable
    }

    /// The engines that own items, each with its items.
    private func owners(
        of items: [ItemURI], offering interface: EngineInterface
    ) async throws(ClientError) -> [(Engine, [ItemURI])] {
        let folders = await registeredFolders()
        var engines: [ItemURI: Engine] = [:]
        var owned: [Engine: [ItemURI]] = [:]
        var order: [Engine] = []
        for item in items {
            // One question for all items of a folder.
            let place = folders.filter { item.isWithin($0) }.max { $0.path.utf8.count < $1.path.utf8.count } ?? item
            let engine: Engine
            if let known = engines[place] {
                engine = known
            } else {
                engine = try await owner(of: place, offering: interface)
                engines[place] = engine
            }
            if owned[engine] == nil { order.append(engine) }
            owned[engine, default: []].append(item)
        }
        return order.map { ($0, owned[$0] ?? []) }
    }
}

extension SyncContentsResult {
    /// What several engines did together.
    init(sumOf results: [SyncContentsResult]) {
        self.init()
        for result in results {
            files += result.files
            bytes += result.bytes
            failed += result.failed
            items += result.items
        }
    }
}
