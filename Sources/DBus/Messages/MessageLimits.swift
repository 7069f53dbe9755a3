/// The limits of the D-Bus specification, "Message Protocol". A bus closes a connection that exceeds them, so the
/// writer refuses such messages before.
enum MessageLimits {
    /// The longest array, in bytes.
    static let array = 64 << 20
    /// The longest message, in bytes, including its header.
    static let message = 128 << 20
    /// The longest body: the message without the room for any header with a path of ordinary length.
    static let body = message - (1 << 20)
    /// The longest object path that leaves the header within its room.
    static let path = 512 << 10
    /// The longest signature, in bytes.
    static let signature = 255
    /// The maximum nesting of structures; the same limit applies to arrays.
    static let structureDepth = 32
    /// The maximum number of file descriptors that Linux transfers at once (SCM_MAX_FD).
    static let fileDescriptors = 253
    /// The maximum nesting of containers.
    static let depth = 64
}
