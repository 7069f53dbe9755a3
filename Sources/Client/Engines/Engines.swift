package import DBus
package import RoundelBus
internal import Support

/// Finds the sync engines that can answer a question about items, and asks them.
///
/// The badge service knows which engine owns an item and what each one offers. Without it, the bundled engine is asked.
package struct Engines: Sendable {
    let bus: AsyncConnection

    /// The engines on this bus.
    package init(bus: AsyncConnection) { self.bus = bus }

    // MARK: Finding engines

    /// The engine that owns an item. The bundled one is asked about items that nobody is known to own: it may know a
    /// folder that is no longer registered.
    /// - Throws: ``ClientError/notOffered(engine:_:)`` or ``ClientError/engineSilent(engine:)``.
    package func owner(of item: ItemURI, offering interface: EngineInterface) async throws(ClientError) -> Engine {
        let patience = Patience.CommandLine.engines
        do {
            let found = try await HostProxy(bus: bus).service(interface.name, for: item, timeout: patience)
            let id = found.provider?.rawValue ?? found.busName
            if id == Engine.bundled.id { return .bundled }
            return Engine(
                id: id, name: found.providerName, address: EngineAddress(busName: found.busName, object: found.object))
        } catch {
            guard (error as? DBusError)?.roundelCode == .noSuchService, let owner = await provider(of: item),
                owner.id.rawValue != Engine.bundled.id
            else { return .bundled }
            if !owner.running { throw .engineSilent(engine: owner.name) }
            throw .notOffered(engine: owner.name, interface)
        }
    }

    /// The enabled provider with the deepest folder that contains an item.
    private func provider(of item: ItemURI) async -> ProviderSummary? {
        func depth(_ provider: ProviderSummary) -> Int? {
            provider.folders.filter { item.isWithin($0) }.map(\.path.utf8.count).max()
        }
        return await providers().filter { $0.enabled && depth($0) != nil }.max { depth($0) ?? 0 < depth($1) ?? 0 }
    }

    /// Every engine that offers an interface, the bundled one first.
    package func all(offering interface: EngineInterface) async -> [Engine] {
        [.bundled] + (await others(offering: interface))
    }

    /// The engines beside the bundled one that offer an interface.
    package func others(
        offering interface: EngineInterface, but missing: EngineInterface? = nil
    ) async -> [Engine] {
        await providers().compactMap { provider in
            guard provider.enabled, provider.id.rawValue != Engine.bundled.id, !provider.busName.isEmpty,
                let object = (provider.services[interface.name]).flatMap({ try? ObjectPath($0) }),
                missing.map({ provider.services[$0.name] == nil }) ?? true
            else { return nil }
            let address = EngineAddress(busName: provider.busName, object: object)
            return Engine(id: provider.id.rawValue, name: provider.name, address: address)
        }
    }

    /// The folders of all enabled providers.
    func registeredFolders() async -> [ItemURI] { await providers().filter(\.enabled).flatMap(\.folders) }

    private func providers() async -> [ProviderSummary] {
        (try? await ProvidersProxy(bus: bus).list(timeout: Patience.CommandLine.engines)) ?? []
    }

    // MARK: Asking them

    /// Asks the engine that owns an item.
    /// - Throws: ``ClientError`` if the engine cannot answer, and `DBusError`.
    package func ask<Proxy: EngineProxy, Answer>(
        ownerOf item: ItemURI, _ question: (Proxy) async throws -> Answer
    ) async throws -> Answer {
        let engine = try await owner(of: item, offering: Proxy.interface)
        return try await engine.answering { try await question(Proxy(bus: bus, engine: engine.address)) }
    }

    /// Asks the engine that owns an item; for nil, every engine that offers the interface, at the same time.
    /// - Throws: As ``ask(ownerOf:_:)``, if no engine answers.
    package func ask<Proxy: EngineProxy, Answer: Sendable>(
        _ item: ItemURI?, _ question: @escaping @Sendable (Proxy) async throws -> Answer
    ) async throws -> EngineAnswers<Answer> {
        let calls = try await concerned(item, by: Proxy.interface).map { engine in
            (engine, { @Sendable in try await question(Proxy(bus: bus, engine: engine.address)) })
        }
        return try await Engines.answers(to: calls)
    }

    /// The engine that owns an item; for nil, every engine that offers the interface.
    func concerned(_ item: ItemURI?, by interface: EngineInterface) async throws(ClientError) -> [Engine] {
        if let item { return [try await owner(of: item, offering: interface)] }
        return await all(offering: interface)
    }

    /// Calls several engines at the same time.
    static func answers<Answer: Sendable>(
        to calls: [(Engine, @Sendable () async throws -> Answer)]
    ) async throws -> EngineAnswers<Answer> {
        let results = await withTaskGroup(of: (Int, Result<Answer, any Error>).self) { group in
            for (index, (engine, call)) in calls.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await engine.answering(call)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [Int: Result<Answer, any Error>] = [:]
            for await (index, result) in group { results[index] = result }
            return results
        }
        return try EngineAnswers(
            calls.indices.compactMap { index in results[index].map { (engine: calls[index].0, result: $0) } })
    }
}
