internal import RoundelBus

/// What follows from the matters and the notifications on the screen.
extension NotificationBoard {
    /// Brings the screen in line, as far as it is time for that.
    mutating func settled(_ now: UInt64) -> [Step] {
        steps = []
        lastTold = lastTold.filter { $0.value + Self.repeatInterval > now }
        var due: [UInt64] = []
        for subject in bubbles.keys.sorted(by: Self.isBefore) { refresh(subject, now, &due) }
        let ready = readyMatters(now, &due)
        if !ready.isEmpty || !failures.isEmpty {
            switch daemon {
            case .unknown:
                daemon = .connecting
                steps.append(.connect)
            case .connected:
                tell(ready, now)
                tellFailures(now, &due)
            case .connecting, .absent: break
            }
        }
        arm(due.min())
        return steps
    }

    private mutating func arm(_ deadline: UInt64?) {
        guard deadline != timer else { return }
        timer = deadline
        steps.append(.setTimer(deadline))
    }

    // MARK: What shows

    /// Closes what is resolved and replaces what has changed.
    private mutating func refresh(_ subject: Subject, _ now: UInt64, _ due: inout [UInt64]) {
        // Until the daemon has answered there is no number to close or to replace.
        guard subject != .failure, let bubble = bubbles[subject], let number = bubble.number else { return }
        guard let content = content(of: subject) else {
            bubbles[subject] = nil
            return steps.append(.close(number))
        }
        guard content != bubble.content else { return }
        let time = bubble.sent + Self.updateInterval
        if time > now { return due.append(time) }
        show(subject, content, now)
    }

    /// How a notification is to look now; nil if nothing is left of what it told.
    private func content(of subject: Subject) -> NotificationContent? {
        guard subject == .summary else {
            return matters[subject].map { NotificationContent($0.notice) }
        }
        let members = matters.filter { $0.value.told?.subject == .summary }
        return members.isEmpty ? nil : summary(of: members)
    }

    private func summary(of members: [Subject: Matter]) -> NotificationContent {
        let ordered = members.sorted { Self.isBefore($0.key, $1.key) }
        return NotificationContent(
            summaryOf: ordered.map(\.value.notice), folders: Set(members.keys.compactMap(\.folder)).count)
    }

    // MARK: What is new

    /// The matters that were not told, in a fixed order; those whose time has not come are `due`.
    private func readyMatters(_ now: UInt64, _ due: inout [UInt64]) -> [Subject] {
        var ready: [Subject] = []
        for (subject, matter) in matters where matter.told == nil && bubbles[subject] == nil {
            let time = max(matter.since + Self.patience, lastTold[subject].map { $0 + Self.repeatInterval } ?? 0)
            if time <= now { ready.append(subject) } else { due.append(time) }
        }
        return ready.sorted(by: Self.isBefore)
    }

    private mutating func tell(_ ready: [Subject], _ now: UInt64) {
        guard Set(ready.compactMap(\.folder)).count > Self.foldersAtOnce else {
            for subject in ready {
                note(subject, toldBy: subject, now)
                if let content = content(of: subject) { show(subject, content, now) }
            }
            return
        }
        // One whose number is not known yet cannot be replaced; its answer comes soon.
        if let bubble = bubbles[.summary], bubble.number == nil { return }
        for subject in ready { note(subject, toldBy: .summary, now) }
        if let content = content(of: .summary) { show(.summary, content, now) }
    }

    private mutating func note(_ subject: Subject, toldBy teller: Subject, _ now: UInt64) {
        guard let urgency = matters[subject]?.notice.urgency else { return }
        matters[subject]?.told = (teller, urgency)
        lastTold[subject] = now
    }

    private mutating func tellFailures(_ now: UInt64, _ due: inout [UInt64]) {
        guard !failures.isEmpty else { return }
        if let bubble = bubbles[.failure] {
            guard bubble.number != nil else { return }
            let time = bubble.sent + Self.patience
            if time > now { return due.append(time) }
        }
        show(.failure, NotificationContent(failures), now)
        failures = []
    }

    private mutating func show(_ subject: Subject, _ content: NotificationContent, _ now: UInt64) {
        let replaced = bubbles[subject]?.number ?? 0
        bubbles[subject] = Bubble(content: content, sent: now, number: nil)
        steps.append(.show(subject, content, replacing: replaced))
    }

    private static func isBefore(_ left: Subject, _ right: Subject) -> Bool {
        switch (left, right) {
        case (.notice(let left, let first), .notice(let right, let second)): (left.uri, first) < (right.uri, second)
        case (.notice, .summary), (.notice, .failure), (.summary, .failure): true
        case (.summary, .notice), (.summary, .summary), (.failure, .notice), (.failure, .summary),
            (.failure, .failure):
            false
        }
    }
}

extension NotificationBoard.Subject {
    /// The folder of a notice.
    fileprivate var folder: ItemURI? {
        if case .notice(let folder, _) = self { folder } else { nil }
    }
}
