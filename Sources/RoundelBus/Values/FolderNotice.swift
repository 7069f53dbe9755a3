/// Something about a folder that needs the person: a decision, a repair, space.
public struct FolderNotice: Hashable, Sendable {
    /// How much it presses; anything else counts as normal.
    public enum Urgency: UInt8, CaseIterable, Comparable, Sendable {
        /// Good to know.
        case low = 0
        /// Wants a decision some time.
        case normal = 1
        /// Nothing goes on before it is dealt with.
        case critical = 2

        /// Orders by how much it presses.
        public static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
    }

    /// What the person can do about it at once.
    public struct Action: Hashable, Sendable {
        /// The provider's own id, which comes back with Activate.
        public var id: String
        /// Shown on the button.
        public var label: String

        /// A button.
        public init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    /// What it is about; the same as long as the matter is the same, so that the person is notified once.
    public var id: String
    /// One line.
    public var title: String
    /// Sentences; may be empty.
    public var text: String
    /// How many items it concerns; 0 where that says nothing.
    public var count: UInt32
    /// How much it presses.
    public var urgency: Urgency
    /// What can be done, the most likely first.
    public var actions: [Action]

    /// A notice.
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

    /// The notice with its title, text and labels cut to what a folder can have.
    public var shortened: FolderNotice {
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
