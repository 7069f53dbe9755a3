/// Something that the kernel asks and that has to pass the gate of an item.
package struct Arrival: Hashable, Sendable {
    /// The number of the kernel's request.
    package let request: UInt64
    package let node: NodeNumber
    /// The thread that waits for the answer; 0 if it is in a container of which nothing is seen here.
    package let thread: Int32
    package let purpose: Purpose
    /// Whether its item got another size since the kernel looked at the attributes, which it does before it asks. Opened
    /// so, it would be read and written as if it had the former size: the kernel has to begin again.
    package internal(set) var isOutdated = false

    /// What is asked.
    package enum Purpose: Hashable, Sendable {
        /// To be opened, with the flags of open(2).
        case open(flags: Int32)
        case change(AttributeChange)
        /// One more name.
        case link(NodeTree.Spot)
    }

    /// What the contents have to do with it.
    package enum Need: Sendable {
        /// They have to be here.
        case contents
        /// They are thrown away, wherever they are.
        case emptiness
        /// It cannot be done as long as they are not here.
        case noPlaceholder
        /// Nothing, but it must not meet them while they arrive or go.
        case quiet
    }

    package init(request: UInt64, node: NodeNumber, thread: Int32, purpose: Purpose) {
        self.request = request
        self.node = node
        self.thread = thread
        self.purpose = purpose
    }

    /// What the contents have to do with it.
    package var need: Need {
        switch purpose {
        case .open(let flags): flags & OpenFlags.truncate != 0 ? .emptiness : .contents
        case .change(let change): change.size.map { $0 == 0 ? .emptiness : .contents } ?? .quiet
        case .link: .noPlaceholder
        }
    }

    /// The same after its item got another size. Only who opens it for what it holds believes the kernel's size: the
    /// answers to all others tell the new one.
    package func resized() -> Self {
        guard case .open = purpose, case .contents = need else { return self }
        var arrival = self
        arrival.isOutdated = true
        return arrival
    }
}

/// The flags of open(2) that decide something here; their values are Linux's own.
package enum OpenFlags {
    package static let accessMode: Int32 = 0o3
    package static let truncate: Int32 = 0o1000
    package static let leaveAccessTime: Int32 = 0o1000000
}

/// New attributes of an item; what is nil stays.
package struct AttributeChange: Hashable, Sendable {
    package enum Time: Hashable, Sendable {
        case now
        case at(seconds: Int64, nanoseconds: UInt32)
    }

    package var mode: UInt32?
    package var owner: UInt32?
    package var group: UInt32?
    package var size: UInt64?
    package var accessed: Time?
    package var modified: Time?
    /// The descriptor that the kernel was given when the item was opened, if it asks by one.
    package var handle: Int32?

    package init() {}
}
