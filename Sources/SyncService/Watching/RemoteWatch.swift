internal import DBus
internal import FileWatch
internal import Glibc
internal import SyncCore
internal import SystemPackage

/// Watches remotes that are directories of this machine, with the same watcher as the badge service.
final class RemoteWatch {
    /// Called with a folder's id, changed directories and items below its remote, and whether anything may have
    /// changed.
    typealias Handler = (String, [RelativePath], [RelativePath], Bool) -> Void

    private let watcher: FileWatcher
    private let handler: Handler
    private let onStatus: () -> Void
    private var ids: [FolderID: String] = [:]
    private var unreliable: Set<String> = []
    private var last: UInt32 = 0

    /// - Parameter onStatus: Called when the set of reliable remotes changes.
    init(loop: EventLoop, _ handler: @escaping Handler, onStatus: @escaping () -> Void) throws {
        self.handler = handler
        self.onStatus = onStatus
        // The watcher needs the wake-up, and the wake-up's handler needs self, which needs the watcher.
        var take: () -> Void = {}
        let wakeup = try loop.makeWakeup { take() }
        watcher = try FileWatcher(wake: { wakeup.signal() })
        take = { [unowned self] in takeEvents() }
    }

    /// Watches a remote's directory for the folder with this id.
    func watch(_ path: FilePath, for id: String) {
        last += 1
        let folder = FolderID(rawValue: last)
        ids[folder] = id
        watcher.setFolder(folder, at: path, recursive: true)
    }

    /// Ends watching it.
    func remove(_ id: String) {
        for (folder, owner) in ids where owner == id {
            watcher.removeFolder(folder)
            ids[folder] = nil
        }
        unreliable.remove(id)
    }

    /// Whether every change of the remote is noticed.
    func isReliable(_ id: String) -> Bool { ids.values.contains(id) && !unreliable.contains(id) }

    private func takeEvents() {
        for event in watcher.takeEvents() {
            switch event {
            case .changed(let changes):
                guard let id = ids[changes.folder] else { continue }
                handler(id, changes.directories.map(\.relative), changes.items.map(\.relative), changes.overflow)
            case .rootLost(let folder), .rootAppeared(let folder), .rootReplaced(let folder, by: _):
                if let id = ids[folder] { handler(id, [], [], true) }
            case .status(let status):
                let before = unreliable
                unreliable = Set(status.unreliable.compactMap { ids[$0] })
                if unreliable != before { onStatus() }
            case .established, .observing, .directoryVanished, .directoryReturned, .linkChanged, .itemsVanished,
                .itemsPresent, .resolved, .located, .flushed:
                break
            }
        }
    }
}

extension FilePath {
    /// The path in the form that the trees use.
    fileprivate var relative: RelativePath {
        RelativePath(
            components.compactMap { component in
                EntryName(component.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) })
            })
    }
}
