internal import RoundelBus
internal import Support

/// The contents of a desktop notification, in plain text.
struct NotificationContent: Equatable {
    /// A button.
    struct Button: Equatable {
        let id: String
        let label: String
    }

    let title: String
    let text: String
    let urgency: FolderNotice.Urgency
    /// A category of the Desktop Notifications Specification, "Categories".
    let category: String
    let buttons: [Button]

    private static let transfer = "transfer"
    private static let transferError = "transfer.error"

    /// The maximum number of lines in a notification about several notices; further ones are only counted.
    private static let lines = 4

    /// Creates the contents for one notice.
    init(_ notice: FolderNotice) {
        title = notice.title
        text = notice.text
        urgency = notice.urgency
        // A conflict is not a failure; a daemon may show errors in colour or with sound.
        category = notice.id == "conflicts" ? Self.transfer : Self.transferError
        buttons = notice.actions.map { Button(id: $0.id, label: $0.label) }
    }

    /// Combines notices of several folders in the given order, without actions.
    init(summaryOf notices: [FolderNotice], folders: Int) {
        title = tr(folders, one: "A synced folder needs you", other: "{1} synced folders need you")
        text = Self.listed(notices.map(\.title))
        urgency = notices.map(\.urgency).max() ?? .normal
        category = Self.transferError
        buttons = []
    }

    /// Creates the contents for failed actions, or for the answers of others, the latest last.
    init(_ reports: [ActionReport]) {
        let hasFailed = reports.contains(where: \.hasFailed)
        let latest = reports.last
        if hasFailed {
            title = reports.count > 1 ? Self.actionsFailed(reports.count) : Self.actionFailed(latest?.label ?? "")
            text =
                reports.count > 1
                ? Self.listed(reports.map { tr("{1}: {2}", $0.label, $0.message) }) : latest?.message ?? ""
        } else {
            // The user waits for the answer to the latest question.
            (title, text) = (latest?.label ?? "", latest?.message ?? "")
        }
        urgency = .normal
        category = hasFailed ? Self.transferError : Self.transfer
        buttons = []
    }

    private static func listed(_ texts: [String]) -> String {
        guard texts.count > lines else { return texts.joined(separator: "\n") }
        return (texts.prefix(lines - 1) + [FolderText.more(texts.count - lines + 1)]).joined(separator: "\n")
    }

    /// The title if one action failed; it may have no name.
    private static func actionFailed(_ label: String) -> String {
        label.isEmpty ? tr("An action failed") : tr("“{1}” failed", label)
    }

    /// The title if several actions failed.
    static func actionsFailed(_ count: Int) -> String {
        tr(count, one: "{1} action failed", other: "{1} actions failed")
    }
}
