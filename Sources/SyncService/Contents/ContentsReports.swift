internal import DBus
internal import RoundelBus
internal import Support

/// Tells each caller how far its calls are that move contents: the sum of them, and not too often.
final class ContentsReports {
    private let bus: Connection
    private let loop: EventLoop
    private var progress: [String: [ObjectIdentifier: SyncContentsProgress]] = [:]
    private var changed: Set<String> = []
    private lazy var timer = loop.makeTimer { [unowned self] in send() }

    init(bus: Connection, loop: EventLoop) { (self.bus, self.loop) = (bus, loop) }

    /// A call of a caller is this far.
    func note(_ news: SyncContentsProgress, of call: AnyObject, for caller: String) {
        progress[caller, default: [:]][ObjectIdentifier(call)] = news
        changed.insert(caller)
        if !timer.isSet { timer.set(after: Patience.Worker.contentsProgress) }
    }

    /// A call is over.
    func forget(_ call: AnyObject, of caller: String) {
        progress[caller]?[ObjectIdentifier(call)] = nil
        if progress[caller]?.isEmpty == true { progress[caller] = nil }
    }

    func stop() { timer.cancel() }

    private func send() {
        for caller in changed {
            guard let calls = progress[caller] else { continue }
            let sum = calls.values.reduce(SyncContentsProgress()) { sum, call in
                var sum = sum
                sum.files += call.files
                sum.filesTotal += call.filesTotal
                sum.bytes += call.bytes
                sum.bytesTotal += call.bytesTotal
                sum.message = sum.message ?? call.message
                return sum
            }
            try? bus.emit(Names.workerPath, EngineInterface.contents.name, "ContentsProgress", to: caller) { writer in
                try writer.append(map: sum.map)
                try writer.appendNoExtras()
            }
        }
        changed = []
    }
}
