import Dispatch
import FileWatch
import SystemPackage

/// Watches a folder with everything below it and hands over what changes, until `handle` returns false.
func follow(_ folder: FilePath, onReady: () -> Void, handle: (TreeChanges) -> Bool) throws {
    let events = DispatchSemaphore(value: 0)
    let watcher = try FileWatcher { events.signal() }
    watcher.setFolder(FolderID(rawValue: 1), at: folder, recursive: true)
    while true {
        events.wait()
        for event in watcher.takeEvents() {
            if case .established = event { onReady() }
            if case .changed(let changes) = event, !handle(changes) { return }
        }
    }
}
