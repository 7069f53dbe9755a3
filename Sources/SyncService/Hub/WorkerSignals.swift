internal import DBus
internal import RoundelBus
internal import Support

/// The signals of the worker's folders.
struct WorkerSignals {
    let bus: Connection

    func foldersChanged() { emit("FoldersChanged") { _ in } }

    func statusChanged(_ report: SyncFolderStatus) {
        emit("StatusChanged") { writer in
            try writer.append(report.id)
            try writer.append(map: report.map)
        }
    }

    func activityAdded(_ activities: [SyncActivity]) {
        emit("ActivityAdded") { writer in
            try writer.appendArray(of: "a{sv}") { array in
                for activity in activities { try array.append(map: activity.map) }
            }
        }
    }

    private func emit(_ signal: String, _ write: (inout MessageWriter) throws -> Void) {
        do {
            try bus.emit(Names.workerPath, EngineInterface.folders.name, signal) { writer in
                try write(&writer)
                try writer.appendNoExtras()
            }
        } catch {
            log(.warning, "\(signal) could not be sent: \(error)")
        }
    }
}
