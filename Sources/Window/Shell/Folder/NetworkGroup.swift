internal import CGtk4
internal import RoundelBus
internal import Support
internal import WindowModel

/// The limits of the network of a folder. What a person changes holds shortly after.
@Interface
final class NetworkGroup {
    /// Called with a sentence if something cannot be set.
    var failed: (@Interface (String) -> Void)?
    private let group: Widget
    private let up: SpinButton
    private let down: SpinButton
    private let metered: Switch
    private let remark: Label
    private let questions: FolderQuestions
    private var form: NetworkForm?
    private var isShowing = false
    private var setting: Task<Void, Never>?

    init(_ blueprint: Blueprint, _ questions: FolderQuestions) {
        self.questions = questions
        (group, remark) = (blueprint.widget("network-group"), blueprint.widget("network-remark"))
        (up, down, metered) = (blueprint.widget("up"), blueprint.widget("down"), blueprint.widget("metered"))
        up.on("value-changed") { [weak self] in self?.changed() }
        down.on("value-changed") { [weak self] in self?.changed() }
        metered.on("notify::active") { [weak self] in self?.changed() }
    }

    /// Shows what is set; nothing for a folder without a network.
    func load() async {
        let found = await questions.network()
        // What was changed meanwhile is not taken back.
        guard !Task.isCancelled else { return }
        form = found
        group.isVisible = found != nil
        guard let form = found else { return }
        isShowing = true
        defer { isShowing = false }
        (up.value, down.value, metered.isActive) = (form.up, form.down, form.isAllowedOnMetered)
        remark.show(form.remark)
    }

    private func changed() {
        guard !isShowing, var form else { return }
        (form.up, form.down, form.isAllowedOnMetered) = (up.value, down.value, metered.isActive)
        self.form = form
        setting?.cancel()
        setting = Task { [weak self] in
            // While somebody holds a button, each number in between need not be set.
            do { try await Task.sleep(for: Patience.Window.typing) } catch { return }
            guard let self, let use = self.form?.changed else { return }
            do { try await questions.set(use) } catch { failed?(Sentence.of(error)) }
            if !Task.isCancelled { await load() }
        }
    }
}
