import Dispatch
import MountProtocol
import Support
import Synchronization
import SystemPackage

/// Has new placeholders made: those that several threads want at the same time by one request.
final class PlaceholderBatches: Sendable {
    private final class Order: Sendable {
        enum Turn: Sendable {
            /// Has all that is wanted now made, its own with it.
            case lead
            case made(Result<UInt64, Errno>)
        }

        let item: NewPlaceholder
        private let turns = Mutex<[Turn]>([])
        private let arrival = DispatchSemaphore(value: 0)

        init(_ item: NewPlaceholder) { self.item = item }

        func give(_ turn: Turn) {
            turns.withLock { $0.append(turn) }
            arrival.signal()
        }

        func wait() -> Turn {
            arrival.wait()
            return turns.withLock { $0.removeFirst() }
        }
    }

    private struct State: Sendable {
        var waiting: [Order] = []
        var isBusy = false
    }

    /// The most of one request: their paths have to fit into a packet.
    private static let limit = 100

    private let contents: MountedContents
    private let state = Mutex(State())

    init(_ contents: MountedContents) { self.contents = contents }

    /// Makes a placeholder; gives its inode.
    func make(_ item: NewPlaceholder) throws(Errno) -> UInt64 {
        let order = Order(item)
        let leads = state.withLock { state in
            state.waiting.append(order)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if leads { order.give(.lead) }
        while true {
            switch order.wait() {
            case .lead: lead()
            case .made(let result): return try result.get()
            }
        }
    }

    /// Has everything made that is wanted, and leaves to somebody else what came meanwhile.
    private func lead() {
        let orders = state.withLock { state in
            defer { state.waiting.removeFirst(min(state.waiting.count, Self.limit)) }
            return Array(state.waiting.prefix(Self.limit))
        }
        let results = self.results(of: orders.map(\.item))
        let next = state.withLock { state in
            state.isBusy = !state.waiting.isEmpty
            return state.waiting.first
        }
        next?.give(.lead)
        for (order, result) in zip(orders, results) { order.give(.made(result)) }
    }

    private func results(of items: [NewPlaceholder]) -> [Result<UInt64, Errno>] {
        do throws(Errno) {
            let report = try contents.ask(limit: Patience.Mount.durability) { .make(request: $0, items) }
            switch report {
            case .made(_, let made) where made.count == items.count:
                return made.map { one in
                    switch one {
                    case .inode(let inode): .success(inode)
                    case .failed(let error): .failure(error)
                    }
                }
            case .done(_, let error): throw error ?? .protocolError
            case .made, .hello, .fetch, .cancel, .emptied, .located: throw .protocolError
            }
        } catch {
            return items.map { _ in .failure(error) }
        }
    }
}
