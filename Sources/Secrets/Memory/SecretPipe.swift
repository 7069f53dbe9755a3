internal import CLinux
package import DBus
internal import Glibc
internal import Support

/// Hands a secret to another process through a pipe, so that no message contains it: messages are copied and monitored.
package enum SecretPipe {
    /// Why no secret could be read from a descriptor.
    package enum Failure: Error, Hashable, Sendable {
        /// It is not one of a pipe.
        case notAPipe
        /// The pipe's other end was not closed in time.
        case unfinished
    }

    /// The most that a pipe is certain to hold before it is read (pipe(7)).
    private static let room = 4_096

    /// Writes a secret of at most 4,096 bytes into a new pipe.
    /// - Returns: The end from which it is read.
    /// - Throws: ``SecretStoreError/unusable`` for a longer one, or ``SecretStoreError/noMemory``.
    package static func filled(with secret: SecretBytes) throws(SecretStoreError) -> OwnedFileDescriptor {
        guard secret.count <= room else { throw .unusable }
        var ends: [Int32] = [-1, -1]
        guard clinux_secret_pipe(&ends) == 0 else { throw .noMemory }
        let (source, target) = (OwnedFileDescriptor(owning: ends[0]), OwnedFileDescriptor(owning: ends[1]))
        let written = secret.withBytes { write(target.number, $0.baseAddress, $0.count) }
        guard written == secret.count else { throw .noMemory }
        return source
    }

    /// Reads a secret up to the end of a pipe. Blocks the thread; the pipe is not to be read by anyone else.
    ///
    /// - Parameters:
    ///   - longest: The most bytes to read. Reading ends there, or with one byte more.
    ///   - patience: How long the writer may take.
    /// - Throws: ``Failure``, and ``SecretStoreError/noMemory``.
    package static func read(
        _ source: OwnedFileDescriptor, longest: Int, within patience: Duration
    ) throws -> SecretBytes {
        var kind = stat()
        guard fstat(source.number, &kind) == 0, kind.st_mode & S_IFMT == S_IFIFO else { throw Failure.notAPipe }
        // Another process may share the pipe and empty it after it was found readable.
        guard fcntl(source.number, F_SETFL, O_NONBLOCK) == 0 else { throw Failure.notAPipe }
        let end = Instant.now + patience
        return try SecretBytes(capacity: longest + 1) { room in
            var count = 0
            while count < room.count {
                try awaitInput(source.number, until: end)
                let got = Glibc.read(source.number, room.baseAddress.map { $0 + count }, room.count - count)
                if got == 0 { break }
                if got > 0 { count += got } else if errno != EAGAIN && errno != EINTR { throw Failure.unfinished }
            }
            return count
        }
    }

    private static func awaitInput(_ descriptor: Int32, until end: Instant) throws(Failure) {
        let remaining = Instant.now.duration(to: end).components
        let milliseconds = remaining.seconds * 1_000 + remaining.attoseconds / 1_000_000_000_000_000
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard milliseconds > 0, poll(&state, 1, Int32(clamping: milliseconds)) != 0 else { throw .unfinished }
    }
}
