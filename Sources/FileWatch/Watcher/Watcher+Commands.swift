import Glibc
import SystemPackage

extension Watcher {
    func handle(_ command: Command) {
        switch command {
        case .setFolder(let id, let path, let recursive):
            setFolder(id, path, recursive: recursive)
        case .removeFolder(let id):
            if let anchor = folders.removeValue(forKey: id) { remove(anchor) }
        case .observe(let path):
            guard observed[path] == nil else { return }
            let anchor = Anchor(role: .observed, path: path)
            observed[path] = anchor
            locateAgain(anchor)
        case .unobserve(let path):
            if let anchor = observed.removeValue(forKey: path) { remove(anchor) }
        case .verify(let path, let names):
            if let anchor = observed[path] { verify(names, in: anchor) }
        case .flush(let folder, let token):
            beginFlush(folder, token)
        case .resolve(let path, let token):
            resolve(path, token)
        case .finishResolving(let serial, let resolution):
            if let token = helpers.finish(serial) { output.append(.resolved(token: token, resolution)) }
        case .pause(let gate):
            gate.pass()
        case .stop:
            isStopped = true
        }
    }

    private func setFolder(_ id: FolderID, _ path: FilePath, recursive: Bool) {
        let role = Anchor.Role.folder(id, recursive: recursive)
        if let known = folders[id] {
            if known.role == role, known.path == path { return }
            remove(known)
        }
        let anchor = Anchor(role: role, path: path)
        folders[id] = anchor
        locateAgain(anchor)
    }

    /// The kernel has queued every change made so far: once its queue is read and the scans that it led to are done,
    /// nothing is missing.
    private func beginFlush(_ folder: FolderID, _ token: UInt64) {
        locateAnchors()
        readEverythingThatWaits()
        expireMoves(all: true)
        if folders[folder]?.lacksWatches ?? false { renewBudget() }
        flushes.append((folder, token))
    }

    /// The person may have raised the limit.
    private func renewBudget() {
        let limit = settings.watchLimit()
        guard limit > budget.limit else { return }
        budget.renew(limit: limit)
        refused.permitRetry()
        retryRefused()
    }

    private func resolve(_ path: FilePath, _ token: UInt64) {
        switch PathResolver(mounts: mounts, gate: gate).resolve(path) {
        case .resolved(let resolution):
            output.append(.resolved(token: token, resolution))
        case .unwatchable(let resolution):
            let mount = mounts.mount(covering: resolution.resolved)
            let request = ResolveHelpers.Request(
                token: token, path: path, mounts: mounts, mount: mount?.id ?? 0, fallback: resolution)
            if !helpers.start(request, at: now, reportingTo: commands) {
                output.append(.resolved(token: token, resolution))
            }
        }
    }
}
