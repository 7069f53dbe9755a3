internal import CLinux
internal import Glibc
internal import Support

/// Programs started by this one.
package enum ChildProgram {
    /// Runs a program on this program's terminal and waits for its end.
    /// - Parameter isSilent: Whether to discard its standard output; standard error is always shown.
    /// - Returns: Its exit status; nil if it could not be started or was killed.
    package static func run(_ words: [String], isSilent: Bool = false) -> Int32? {
        guard let child = spawn(words, isDetached: false, closing: isSilent ? [STDOUT_FILENO] : []) else { return nil }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Starts a program that continues after this one has ended.
    /// - Returns: Whether it was started.
    package static func start(_ words: [String]) -> Bool {
        spawn(words, isDetached: true, closing: [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]) != nil
    }

    /// Runs a program and returns its exit status and the beginning of its standard output, without its standard error;
    /// nil if it could not be started, was killed, or does not end in time.
    /// - Parameter most: The number of bytes that it may print.
    static func output(_ words: [String], most: Int = 64 << 10) -> (status: Int32, text: String)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let child = spawn(words, isDetached: false, closing: [STDIN_FILENO, STDERR_FILENO], output: ends[1])
        close(ends[1])
        guard let child else { return nil }
        let bytes = read(ends[0], most: most, until: .now + Patience.CommandLine.start)
        if bytes == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        guard let bytes, status & 0x7F == 0 else { return nil }
        return ((status >> 8) & 0xFF, String(decoding: bytes, as: UTF8.self))
    }

    /// Reads to the end of a pipe; nil if that does not come in time, or is too far away.
    private static func read(_ pipe: Int32, most: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < most {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return nil }
            var state = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, Int32(clamping: Int64(left / .milliseconds(1)) + 1)) > 0 else { continue }
            let count = Glibc.read(pipe, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        return nil
    }

    private static func spawn(
        _ words: [String], isDetached: Bool, closing: [Int32], output: Int32? = nil
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child must not inherit signals that are blocked or ignored in this process; libdbus ignores SIGPIPE.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var ordinary = none
        sigaddset(&ordinary, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &ordinary)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, flags | (isDetached ? detached : 0))
        for descriptor in closing {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        let vector = words.map { strdup($0) } + [nil]
        defer { for word in vector { free(word) } }
        var child = pid_t()
        return posix_spawnp(&child, words[0], &actions, &attributes, vector, environ) == 0 ? child : nil
    }

    /// POSIX_SPAWN_SETSID (spawn.h), which is missing in the system's module map.
    private static let detached: Int16 = 0x80
}
