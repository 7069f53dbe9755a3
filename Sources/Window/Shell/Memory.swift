internal import Client
internal import Support
internal import WindowModel

/// Remembers what the window showed, at most twice a minute, on a thread of its own: a disk may not answer.
@Interface
final class Memory {
    /// What was remembered when the window opened.
    let folders: Knowledge?
    private let file: RememberedFolders?
    private var latest: StatusReport?
    private var isWaiting = false

    init() {
        file = BaseDirectories().state.map { RememberedFolders(state: $0) }
        folders = file?.read()
    }

    /// Remembers a report: at once, or if that was just done, as soon as the time for it has come.
    func remember(_ report: StatusReport) {
        guard report != latest else { return }
        latest = report
        guard !isWaiting else { return }
        isWaiting = true
        write(report)
        Task { [weak self] in
            try? await Task.sleep(for: Patience.Window.remembering)
            guard let self else { return }
            isWaiting = false
            if let latest, latest != report { remember(again: latest) }
        }
    }

    private func remember(again report: StatusReport) {
        latest = nil
        remember(report)
    }

    private func write(_ report: StatusReport) {
        guard let file else { return }
        do {
            try DetachedThread.start("remember") {
                do {
                    try file.write(report, at: Moment.now)
                } catch {
                    log(.warning, "What the window shows cannot be remembered: \(error)")
                }
            }
        } catch { log(.warning, "What the window shows cannot be remembered: \(error)") }
    }
}
