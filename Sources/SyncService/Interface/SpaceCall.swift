internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support

/// One call of Space. A side that does not answer in time is left out.
final class SpaceCall {
    private let call: MethodCall
    private var space = SyncSpace()
    private var waiting = 2
    private var isAnswered = false

    /// Starts to ask both sides; the call is answered at the end.
    static func begin(_ call: MethodCall, _ unit: FolderUnit, _ service: Worker) {
        let space = SpaceCall(call, unit)
        space.ask(unit, service)
    }

    private init(_ call: MethodCall, _ unit: FolderUnit) {
        self.call = call
        // Before both sides were looked through, nobody knows how many files there are.
        guard unit.reporter.lastSynced != nil, let here = unit.items.filesHere else { return }
        (space.files, space.bytes) = (UInt64(clamping: here.files), UInt64(clamping: here.bytes))
    }

    private func ask(_ unit: FolderUnit, _ service: Worker) {
        let (patience, blocking) = (Patience.Worker.places, service.blocking)
        let folder = unit.uri.filePath
        blocking.run(within: patience, { DiskRoom(near: folder)?.free }) { [self] free in
            space.free = (free ?? nil).map { UInt64(clamping: $0) }
            end()
        }
        if let directory = unit.remote.directory {
            return blocking.run(within: patience, { DiskRoom(near: directory)?.free }) { [self] free in
                space.available = (free ?? nil).map { UInt64(clamping: $0) }
                end()
            }
        }
        let isBegun = blocking.ask { [remote = unit.remote] in
            await remote.available()
        } answer: { [self] available in
            space.available = available.map { UInt64(clamping: $0) }
            end()
        }
        guard isBegun else { return end() }
        // It runs on the loop, where it was created.
        nonisolated(unsafe) let overdue: () -> Void = { [self] in answer() }
        service.control.post(after: patience) { overdue() }
    }

    private func end() {
        waiting -= 1
        if waiting == 0 { answer() }
    }

    private func answer() {
        guard !isAnswered else { return }
        isAnswered = true
        call.reply { writer in
            try writer.append(map: space.map)
            try writer.appendNoExtras()
        }
    }
}
