package import SyncCore

/// Why a remote cannot be used, or a login cannot be had.
package struct RemoteRefusal: Error, Hashable, Sendable {
    /// What kind of refusal it is, for programs.
    package enum Reason: Hashable, Sendable {
        /// The address, or what is there, is not usable.
        case invalid
        /// Nothing is at the address.
        case missing
        /// Something is missing on this computer.
        case unsupported
        /// A login is missing, or not accepted.
        case loginNeeded
        /// The certificate of the server is not trusted; a file with its authority may help.
        case untrusted
        /// The server wants a certificate of the person's.
        case certificateNeeded
        /// Anything else, which may pass.
        case failed
    }

    package let reason: Reason
    /// What is wrong.
    package let message: Explanation
    /// A further sentence with what may help; nil for none.
    package let advice: Explanation?

    package init(_ reason: Reason, _ message: Explanation, advice: Explanation? = nil) {
        (self.reason, self.message, self.advice) = (reason, message, advice)
    }
}
