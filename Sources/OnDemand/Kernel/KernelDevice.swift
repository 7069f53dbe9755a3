internal import CFuse
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// The descriptor over which the kernel asks and is answered.
final class KernelDevice: Sendable {
    private let descriptor: Int32

    /// The largest part of a file in one request, in bytes.
    static let partLimit = 1 << 20
    /// Room for a request with such a part.
    static let bufferSize = partLimit + 4_096

    /// Takes over the descriptor.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Why no request can be read.
    enum End: Error {
        case unmounted
        case failed(Errno)
    }

    /// Waits for the next request and reads it into the buffer, whose count is ``bufferSize``.
    func next(into buffer: UnsafeMutableRawBufferPointer) throws(End) -> Int {
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            switch errno {
            // Also ENOENT: whoever asked has gone meanwhile.
            case EINTR, EAGAIN, ENOENT: continue
            case ENODEV: throw .unmounted
            case let error: throw .failed(Errno(rawValue: error))
            }
        }
    }

    // MARK: Answers

    /// Answers with an error.
    func refuse(_ request: UInt64, _ error: Errno) {
        send(request, error: -error.rawValue, Self.nothing, Self.nothing)
    }

    /// Answers that it is done, with no more to say.
    func confirm(_ request: UInt64) { send(request, error: 0, Self.nothing, Self.nothing) }

    /// Answers with bytes.
    func answer(_ request: UInt64, bytes: UnsafeRawBufferPointer) { send(request, error: 0, bytes, Self.nothing) }

    /// Answers with a value.
    /// - Returns: False if nobody waits for it any more, so that what it gave is not used.
    @discardableResult
    func answer<Value: BitwiseCopyable>(_ request: UInt64, _ value: Value) -> Bool {
        withUnsafeBytes(of: value) { send(request, error: 0, $0, Self.nothing) }
    }

    /// Answers with two values.
    @discardableResult
    func answer<First: BitwiseCopyable, Second: BitwiseCopyable>(
        _ request: UInt64, _ first: First, _ second: Second
    ) -> Bool {
        withUnsafeBytes(of: first) { one in
            withUnsafeBytes(of: second) { other in send(request, error: 0, one, other) }
        }
    }

    // MARK: What changed without the kernel

    /// Has the kernel forget the attributes and all cached contents of an item. The thread must not be one for which
    /// others wait that have locked the contents.
    func invalidate(_ node: NodeNumber) {
        tell(FUSE_NOTIFY_INVAL_INODE, fuse_notify_inval_inode_out(ino: node.rawValue, off: 0, len: 0), Self.nothing)
    }

    /// Has the kernel forget the attributes alone.
    func invalidateAttributes(of node: NodeNumber) {
        tell(FUSE_NOTIFY_INVAL_INODE, fuse_notify_inval_inode_out(ino: node.rawValue, off: -1, len: 0), Self.nothing)
    }

    /// Has the kernel forget what is at a name. The thread must not be one for which others wait that have locked the
    /// directory.
    func invalidate(_ name: NodeName, in parent: NodeNumber) {
        let note = fuse_notify_inval_entry_out(parent: parent.rawValue, namelen: UInt32(name.bytes.count), flags: 0)
        name.terminated.withUnsafeBytes { tell(FUSE_NOTIFY_INVAL_ENTRY, note, $0) }
    }

    // MARK: Sending

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    private func tell<Note: BitwiseCopyable>(_ code: fuse_notify_code, _ note: Note, _ more: UnsafeRawBufferPointer) {
        _ = withUnsafeBytes(of: note) { send(0, error: CInt(bitPattern: code.rawValue), $0, more) }
    }

    @discardableResult
    private func send(
        _ request: UInt64, error: CInt, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) -> Bool {
        let size = MemoryLayout<fuse_out_header>.size
        let header = fuse_out_header(len: UInt32(size + first.count + second.count), error: error, unique: request)
        return withUnsafeBytes(of: header) { head in
            let parts = (Self.vector(head), Self.vector(first), Self.vector(second))
            return withUnsafeBytes(of: parts) { bytes in
                let vectors = bytes.bindMemory(to: iovec.self)
                while true {
                    if writev(descriptor, vectors.baseAddress, CInt(vectors.count)) >= 0 { return true }
                    if errno != EINTR { return false }
                }
            }
        }
    }

    private static func vector(_ bytes: UnsafeRawBufferPointer) -> iovec {
        iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }
}
