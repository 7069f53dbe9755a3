internal import Glibc

/// A file descriptor that is closed when it is no longer referenced.
public final class OwnedFileDescriptor: Sendable, Hashable {
    /// The number; valid as long as this object exists.
    public let number: Int32

    /// Takes ownership of the descriptor.
    public init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// Whether both are the same descriptor of this process.
    public static func == (left: OwnedFileDescriptor, right: OwnedFileDescriptor) -> Bool {
        left.number == right.number
    }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
