internal import CGtk4
internal import DBus
internal import RoundelBus
internal import Support
internal import WindowModel

/// The window of the sync engines: turns providers on and off.
@Interface
final class EnginesWindow {
    private let window: Widget
    private let pages: Stack
    private let notice: Label
    private let failure: Revealer
    private let failureText: Label
    private let list: RowList<String, EngineRowView>
    private let providers: ProvidersProxy
    private var page = EnginesPage.waiting
    private var following: Task<Void, Never>?
    /// The provider to which the user is led as soon as it is shown.
    private var target: String?

    /// - Parameters:
    ///   - parent: The window that it is in front of.
    ///   - target: The provider to lead to; "" for none.
    init(over parent: Widget, _ bus: AsyncConnection, target: String) {
        providers = ProvidersProxy(bus: bus)
        self.target = target
        let blueprint = Blueprint("engines")
        (window, pages, notice) = (blueprint.widget("window"), blueprint.widget("pages"), blueprint.widget("notice"))
        (failure, failureText) = (blueprint.widget("failure"), blueprint.widget("failure-text"))
        let router = EngineRowView.Router()
        list = RowList(blueprint.widget("engines")) { EngineRowView($0, router) }
        router.window = self
        gtk_window_set_transient_for(window.typed(), parent.typed())
        window.on("close-request") { [weak self] in self?.following?.cancel() }
        following = Task { [weak self, providers] in
            do {
                let changes = try providers.changes()
                self?.show(EnginesPage(try await providers.list()))
                for await _ in changes { self?.show(EnginesPage(try await providers.list())) }
            } catch {
                self?.show(EnginesPage(failure: error))
            }
        }
    }

    /// Brings it to the front.
    func present() { gtk_window_present(window.typed()) }

    /// Turns a provider on or off.
    func turn(_ id: String, on isOn: Bool) {
        failure.isRevealed = false
        Task { [weak self, providers] in
            do {
                if isOn { try await providers.enable(id) } else { try await providers.disable(id) }
            } catch {
                self?.failed(error)
            }
        }
    }

    /// Says why something could not be done, and shows again what is so.
    private func failed(_ error: any Error) {
        failureText.text = Sentence.of(error)
        failure.isRevealed = true
        list.update([])
        show(page)
    }

    private func show(_ page: EnginesPage) {
        self.page = page
        pages.page = page.kind.rawValue
        notice.text = page.notice
        list.update(page.rows.map { (key: $0.id, content: $0) })
        guard let target, let row = list.view(target) else { return }
        self.target = nil
        row.grabFocus()
    }
}
