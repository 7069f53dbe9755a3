internal import Support

/// What a request to a portal has come to: what its answers mean, and when none can come any more.
struct PortalRequest {
    /// The path of the object that stands for the request.
    let handle: String
    private var owner: String?

    init(handle: String) { self.handle = handle }

    /// The path of the object for a request with this token, as the portal makes it of the caller's unique name.
    static func handle(of caller: String, _ token: String) -> String {
        let sender = caller.drop { $0 == ":" }.map { $0 == "." ? "_" : $0 }
        return "/org/freedesktop/portal/desktop/request/\(String(sender))/\(token)"
    }

    /// The portal's owner is known or has changed; nil is none, as before the request has started it.
    ///
    /// - Returns: The end of the request, if the portal that was to answer is gone.
    mutating func ownerChanged(to new: String?) -> FileChooser.Answer? {
        defer { owner = new ?? owner }
        guard let owner, owner != new else { return nil }
        return .failed(tr("The desktop's file dialog ended before anything was chosen. Try again."))
    }

    /// The meaning of the portal's response: 0 is success, 1 that the person has cancelled, 2 any other end. GTK's
    /// dialog ends with 2 if Escape or the button of its window closes it, which is no failure to tell of.
    static func answer(code: UInt32, uris: [String]) -> FileChooser.Answer {
        switch code {
        case 0 where !uris.isEmpty: .chosen(uris)
        case 0, 1, 2: .cancelled
        default: .failed(tr("The desktop's file dialog ended before anything was chosen. Try again."))
        }
    }

    static func unusable(_ why: String) -> String { tr("The desktop's file dialog could not be shown: {1}", why) }
}
