internal import CGtk4
internal import Setup
internal import Support
internal import WindowModel

/// The window that checks this computer: has it looked, and mends what a button can mend.
@Interface
final class CheckupWindow {
    private let window: Widget
    private let pages: Stack
    private let summary: Label
    private let notice: Label
    private let failure: Revealer
    private let failureText: Label
    private let again: Button
    private let list: RowList<Int, FindingRowView>
    private let fixes: CheckupFixes
    private var working: Task<Void, Never>?

    /// - Parameters:
    ///   - parent: The window that it is in front of.
    ///   - lead: Shows what a fix leads to in the other windows.
    init(over parent: Widget, lead: @escaping @Interface (CheckupFix) -> Void) {
        fixes = CheckupFixes(lead)
        let blueprint = Blueprint("checkup")
        (window, pages, summary) = (blueprint.widget("window"), blueprint.widget("pages"), blueprint.widget("summary"))
        (failure, failureText) = (blueprint.widget("failure"), blueprint.widget("failure-text"))
        (notice, again) = (blueprint.widget("notice"), blueprint.widget("again"))
        let router = FindingRowView.Router()
        list = RowList(blueprint.widget("findings")) { _ in FindingRowView(router) }
        router.window = self
        gtk_window_set_transient_for(window.typed(), parent.typed())
        window.on("close-request") { [weak self] in self?.working?.cancel() }
        again.onClick { [weak self] in self?.look() }
        look()
    }

    /// Brings it to the front.
    func present() { gtk_window_present(window.typed()) }

    private func look() {
        work { [weak self] in await self?.examine() }
    }

    /// Mends something, and looks again.
    func carryOut(_ fix: CheckupFix) {
        if CheckupFixes.leadsAway(fix) { gtk_window_close(window.typed()) }
        work { [weak self, fixes] in
            let problem = await fixes.carryOut(fix)
            guard let self, !CheckupFixes.leadsAway(fix) else { return }
            failureText.text = problem ?? ""
            failure.isRevealed = problem != nil
            await examine()
        }
    }

    private func work(_ body: @escaping @Interface () async -> Void) {
        working?.cancel()
        again.isSensitive = false
        failure.isRevealed = false
        show(.waiting)
        working = Task { await body() }
    }

    private func examine() async {
        let page: CheckupPage
        do throws(SetupFailure) { page = CheckupPage(try await Doctor.examine()) } catch {
            page = CheckupPage(failure: error)
        }
        guard !Task.isCancelled else { return }
        again.isSensitive = true
        show(page)
    }

    private func show(_ page: CheckupPage) {
        pages.page = page.kind.rawValue
        summary.text = page.summary
        notice.text = page.summary
        list.update(page.rows.enumerated().map { (key: $0.offset, content: $0.element) })
    }
}
