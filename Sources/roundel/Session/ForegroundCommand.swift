import Glibc
import Support
import Synchronization

/// A command that is run for the user: on the same terminal, with the same signals, its standard error passed on.
struct ForegroundCommand {
    /// How it ended.
    struct End: Equatable {
        /// As a shell has it: 128 and the number of the signal for one that was killed.
        let status: Int32
        /// The last line that it said on its standard error.
        let lastLine: String
    }

    /// The process to which signals are passed on; 0 for none.
    private static let child = Atomic<Int32>(0)
    private static let mostLine = 4096

    /// Runs it to its end.
    /// - Parameter words: Its name, which is searched in PATH, and its arguments, of any bytes.
    /// - Returns: nil if it cannot be started; then `errno` says why.
    static func run(_ words: [[UInt8]]) -> End? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = start(words, errors: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let process else { return nil }
        child.store(process, ordering: .relaxed)
        // A terminal sends them to the command as well, which decides what they mean.
        for number in [SIGINT, SIGQUIT] { signal(number, SIG_IGN) }
        for number in [SIGTERM, SIGHUP] {
            signal(number) { number in
                let process = ForegroundCommand.child.load(ordering: .relaxed)
                if process > 0 { kill(process, number) }
            }
        }
        let line = passOn(ends[0])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { break } }
        child.store(0, ordering: .relaxed)
        return End(
            status: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F, lastLine: line)
    }

    private static func start(_ words: [[UInt8]], errors: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // libdbus ignores SIGPIPE.
        var ordinary = sigset_t()
        sigemptyset(&ordinary)
        posix_spawnattr_setsigmask(&attributes, &ordinary)
        sigaddset(&ordinary, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &ordinary)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let vector = words.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) } + [nil]
        defer { for word in vector { free(word) } }
        var process = pid_t()
        guard let name = vector[0] else { return nil }
        let problem = posix_spawnp(&process, name, &actions, &attributes, vector, environ)
        errno = problem
        return problem == 0 ? process : nil
    }

    /// Passes on what comes through the pipe, until its end; gives the last line that is not empty.
    private static func passOn(_ pipe: Int32) -> String {
        var line: [UInt8] = []
        var last: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(pipe, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            _ = write(STDERR_FILENO, buffer, count)
            for byte in buffer[..<count] {
                guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                    if line.count < mostLine { line.append(byte) }
                    continue
                }
                if !line.isEmpty { last = line }
                line = []
            }
        }
        return DisplayText.escaped(DisplayText.decoding(line.isEmpty ? last : line))
    }
}
