/// Something in a folder that needs the user's attention: a decision, a repair, space.
public struct FolderNotice: Hashable, Sendable {
    /// How urgent it is; unknown values count as normal.
    public enum Urgency: UInt8, CaseIterable, Comparable, Sendable {
        /// Good to know.
        case low = 0
        /// Needs a decision at some time.
        case normal = 1
        /// Syncing cannot continue without a decision.
        case critical = 2

        /// Orders by urgency.
        public static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
    }

    /// Something that the user can do about it immediately.
    public struct Action: Hashable, Sendable {
        /// The provider's own ID, which Activate contains.
        public var id: String
        /// The text of the button.
        public var label: String

        /// Creates an action.
        public init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    /// Identifies the matter: the ID stays the same as long as the matter does, so that the user is notified once.
    public var id: String
    /// One line.
    public var title: String
    /// Sentences; may be empty.
    public var text: String
    /// How many items it concerns; 0 if a number is not meaningful.
    public var count: UInt32
    /// How urgent it is.
    public var urgency: Urgency
    /// The possible actions, the most likely one first.
    public var actions: [Action]

    /// Creates a notice.
    public init(
        id: String, title: String, text: String = "", count: UInt32 = 0, urgency: Urgency = .normal,
        actions: [Action] = []
    ) {
        self.id = id
        self.title = title
        self.text = text
        self.count = count
        self.urgency = urgency
        self.actions = actions
    }

    /// The notice with its title, text and labels truncated to the limits.
    package var shortened: FolderNotice {
        var notice = self
        notice.title = title.shortened(to: Limits.noticeLine)
        notice.text = text.shortened(to: Limits.noticeText)
        notice.actions = actions.map { Action(id: $0.id, label: $0.label.shortened(to: Limits.noticeLine)) }
        return notice
    }

    /// Why a folder cannot have these notices; nil if it can.
    package static func refusal(of notices: [FolderNotice]) -> RoundelError? {
        guard notices.count <= Limits.notices, notices.allSatisfy({ $0.actions.count <= Limits.noticeActions }) else {
            return RoundelError(
                .limitExceeded,
                "A folder has at most \(Limits.notices) notices with \(Limits.noticeActions) actions each.")
        }
        let lines = notices.flatMap { [$0.id, $0.title] + $0.actions.flatMap { [$0.id, $0.label] } }
        guard lines.allSatisfy({ $0.isWithin(Limits.noticeLine) }),
            notices.allSatisfy({ $0.text.isWithin(Limits.noticeText) })
        else {
            return RoundelError(
                .limitExceeded,
                "A notice's text has at most \(Limits.noticeText) characters, its title, ids and labels "
                    + "\(Limits.noticeLine).")
        }
        let areNamed = lines.allSatisfy { !$0.isEmpty }
        let areDistinct =
            Set(notices.map(\.id)).count == notices.count
            && notices.allSatisfy { Set($0.actions.map(\.id)).count == $0.actions.count }
        guard areNamed && areDistinct else {
            return RoundelError(
                .invalidArguments,
                "Each notice needs an id of its own and a title, each of its actions an id of its own and a label.")
        }
        return nil
    }
}
