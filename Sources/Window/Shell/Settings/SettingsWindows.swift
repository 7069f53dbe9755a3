internal import DBus
internal import RoundelBus
internal import Support
internal import WindowModel

/// The windows beside the pages: the sync engines, what is in order on this computer, what a bug report needs, and why an
/// item is not synced.
@Interface
final class SettingsWindows {
    /// Where what they lead to is shown.
    weak var main: MainWindow?
    private let parent: Widget
    private var engines: EnginesWindow?
    private var checkup: CheckupWindow?
    private var report: ReportWindow?
    private var bus: AsyncConnection?
    /// What is shown as soon as the bus is there.
    private var waiting: (@Interface (AsyncConnection) -> Void)?

    /// - Parameter parent: The window that they are in front of.
    init(over parent: Widget) { self.parent = parent }

    /// Uses this bus from now on.
    func use(_ bus: AsyncConnection) {
        self.bus = bus
        waiting?(bus)
        waiting = nil
    }

    /// Does something over the bus as soon as it is there; of several things that wait, the last one.
    private func withBus(_ body: @escaping @Interface (AsyncConnection) -> Void) {
        if let bus { body(bus) } else { waiting = body }
    }

    /// Shows the sync engines.
    /// - Parameter target: The id of a provider to lead to; "" for none.
    func showEngines(_ target: String = "") {
        withBus { [weak self] bus in
            guard let self else { return }
            let engines = EnginesWindow(over: parent, bus, target: target)
            self.engines = engines
            engines.present()
        }
    }

    /// Shows what is in order on this computer and what is not.
    func check() {
        let checkup = CheckupWindow(over: parent) { [weak self] fix in
            switch fix {
            case .addFolder: self?.main?.addFolder()
            case .showProblems(let item): self?.main?.show(.problems, item)
            case .showEngine(let id): self?.showEngines(id)
            case .setUp, .restartService, .turnOnBundled, .startWorker: break
            }
        }
        self.checkup = checkup
        checkup.present()
    }

    /// Shows what a bug report needs.
    func reportProblem() {
        let report = ReportWindow(over: parent)
        self.report = report
        report.present()
    }

    /// Says why an item is not synced.
    func why(_ item: ItemURI) {
        withBus { [weak self] bus in
            Task { [weak self] in
                let answer = await ItemAnswer.of(item, bus: bus)
                guard let self else { return }
                if answer.isListed { main?.show(.problems, item) }
                Question.ask(over: parent, answer.title, answer.text, cancel: tr("Close"), []) { _ in }
            }
        }
    }
}
