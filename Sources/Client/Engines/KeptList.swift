package import RoundelBus

/// What engines keep of replaced and deleted items, read in parts, the newest first.
package struct KeptList: Sendable {
    private struct Source {
        let engine: TrashProxy
        /// What was read and is not taken yet, the newest first.
        var items: [SyncTrashItem]
        /// What to list after the items; nil if they are the last ones.
        var next: String?
    }

    private var sources: [Source] = []
    private var unlisted: [String] = []
    private var knownUnlisted: Set<String> = []
    /// Why engines did not list everything.
    package private(set) var failures: [any Error]

    init(_ answers: EngineAnswers<(engine: TrashProxy, part: TrashProxy.Listing)>) {
        failures = answers.failures
        for (engine, part) in answers.answers {
            note(part.unlisted)
            sources.append(Source(engine: engine, items: part.items, next: part.next))
        }
    }

    private mutating func note(_ folders: [String]) {
        unlisted += folders.filter { knownUnlisted.insert($0).inserted }
    }

    /// Takes the items that were read and are newer than all that is still to be read.
    package mutating func takeNewest() -> [SyncTrashItem] {
        // What an engine lists later is not newer than the last item of its part.
        let bound = sources.filter { $0.next != nil }.map { $0.items.last?.time ?? .max }.max() ?? .min
        var taken: [SyncTrashItem] = []
        for index in sources.indices {
            let count = sources[index].items.prefix { $0.time >= bound }.count
            taken += sources[index].items.prefix(count)
            sources[index].items.removeFirst(count)
        }
        return sources.count > 1 ? taken.sorted { $0.time > $1.time } : taken
    }

    /// Takes the URIs of folders with a side that could not be read, each once.
    package mutating func takeUnlisted() -> [String] {
        defer { unlisted = [] }
        return unlisted
    }

    /// Reads on where everything was taken.
    /// - Returns: Whether there is something to take.
    package mutating func readOn() async -> Bool {
        for index in sources.indices {
            while sources[index].items.isEmpty, let start = sources[index].next {
                await read(index, after: start)
            }
        }
        return !unlisted.isEmpty || sources.contains { !$0.items.isEmpty }
    }

    private mutating func read(_ index: Int, after start: String) async {
        do {
            let part = try await sources[index].engine.listTrash("", after: start)
            note(part.unlisted)
            (sources[index].items, sources[index].next) = (part.items, part.next)
        } catch {
            failures.append(error)
            sources[index].next = nil
        }
    }
}
