/// The limits of the D-Bus specification, "Message Protocol". A bus closes the connection that exceeds them, so
/// the writer refuses first.
enum MessageLimits {
    /// The longest array, in bytes.
    static let array = 64 << 20
    /// The longest message, in bytes, including its header.
    static let message = 128 << 20
    /// The longest body: the message less the room for any header with a path of ordinary length.
    static let body = message - (1 << 20)
    /// The longest object path that leaves the header within its room.
    static let path = 512 << 10
    /// The longest signature, in bytes.
    static let signature = 255
    /// How many structures may lie in one another; as many arrays may.
    static let structureDepth = 32
    /// How many file descriptors Linux hands over in one piece (SCM_MAX_FD).
    static let fileDescriptors = 253
    /// How many containers may lie in one another.
    static let depth = 64
}
