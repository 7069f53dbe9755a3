internal import Support

/// The branch of a work tree, and how far it is from the one that it follows.
package struct BranchState: Equatable, Sendable {
    /// The name of the branch; nil where a commit is checked out without one.
    package var head: String?
    /// The name of the branch that it follows, such as `origin/main`.
    package var upstream: String?
    /// The commits that only this branch has.
    package var ahead = 0
    /// The commits that only the followed branch has.
    package var behind = 0

    package init(head: String?, upstream: String? = nil, ahead: Int = 0, behind: Int = 0) {
        self.head = head
        self.upstream = upstream
        self.ahead = ahead
        self.behind = behind
    }

    /// Reads the headers of `git status --porcelain=v2 --branch`; nil without any.
    init?(headers: [[UInt8]]) {
        guard !headers.isEmpty else { return nil }
        self.init(head: nil)
        for header in headers {
            let words = String(decoding: header, as: UTF8.self).split(separator: " ").map(String.init)
            guard words.count >= 3 else { continue }
            switch words[1] {
            case "branch.head": head = words[2] == "(detached)" ? nil : words[2]
            case "branch.upstream": upstream = words[2]
            case "branch.ab" where words.count == 4:
                ahead = Int(words[2].dropFirst()) ?? 0
                behind = Int(words[3].dropFirst()) ?? 0
            default: break
            }
        }
    }

    /// A line for a person.
    package var text: String {
        guard let head else { return tr("No branch is checked out") }
        guard let upstream else { return head }
        switch (ahead, behind) {
        case (0, 0): return tr("{1}: the same as {2}", head, upstream)
        case (_, 0):
            return tr(
                ahead, one: "{2}: {1} commit ahead of {3}", other: "{2}: {1} commits ahead of {3}", head, upstream)
        case (0, _):
            return tr(behind, one: "{2}: {1} commit behind {3}", other: "{2}: {1} commits behind {3}", head, upstream)
        default: return tr("{1}: {2} ahead of {4}, {3} behind", head, "\(ahead)", "\(behind)", upstream)
        }
    }
}
