internal import Glibc

/// The conditions of a file descriptor that are watched or reported.
public struct Interest: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates a set with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Data can be read, or the stream has ended.
    public static let read = Interest(rawValue: 1)
    /// Data can be written.
    public static let write = Interest(rawValue: 2)
    /// The descriptor failed or its other end is closed; only reported, never requested.
    public static let failure = Interest(rawValue: 4)

    init(pollEvents events: Int16) {
        var interest: Interest = []
        if events & Int16(POLLIN) != 0 { interest.insert(.read) }
        if events & Int16(POLLOUT) != 0 { interest.insert(.write) }
        if events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { interest.insert(.failure) }
        self = interest
    }

    var pollEvents: Int16 {
        (contains(.read) ? Int16(POLLIN) : 0) | (contains(.write) ? Int16(POLLOUT) : 0)
    }
}

/// A file descriptor that an event loop watches until it is cancelled.
public final class FileDescriptorSource {
    private weak var loop: EventLoop?
    let fileDescriptor: Int32
    let handler: (Interest) -> Void
    private(set) var isCancelled = false

    /// The watched conditions; may be changed at any time.
    public var interest: Interest {
        didSet { if interest != oldValue { loop?.sourcesChanged() } }
    }

    init(_ loop: EventLoop, _ fileDescriptor: Int32, _ interest: Interest, _ handler: @escaping (Interest) -> Void) {
        self.loop = loop
        self.fileDescriptor = fileDescriptor
        self.interest = interest
        self.handler = handler
    }

    /// Ends watching; the handler is not called any more.
    public func cancel() {
        isCancelled = true
        loop?.sourcesChanged()
    }
}
