internal import CLinux
internal import Glibc
internal import Support

/// A program whose output is read to its end, with an environment of its own.
struct CapturedProgram {
    /// How it ended.
    struct End {
        /// Its exit status, 128 and the number of the signal for one that was killed; nil if it was ended here, or did
        /// not start.
        let status: Int32?
        let output: [UInt8]
        /// The end of what it said on its standard error.
        let errors: [UInt8]
    }

    private let child: pid_t?
    private let output: Int32
    private let errors: Int32

    private static let mostErrors = 64 << 10
    /// For a program that is told to end to clean up after itself; git has locks to remove.
    private static let grace: Duration = .seconds(5)

    /// - Parameters:
    ///   - words: Its absolute path and its arguments, of any bytes.
    ///   - variables: All of its environment.
    ///   - input: What it can read on its standard input.
    init(_ words: [[UInt8]], variables: [[UInt8]], input: [UInt8]) {
        var out: [Int32] = [-1, -1]
        var complaints: [Int32] = [-1, -1]
        // Other threads start programs as well, which must not hold these.
        guard clinux_helper_pipe(&out) == 0, clinux_helper_pipe(&complaints) == 0 else {
            for end in out + complaints where end >= 0 { close(end) }
            (child, output, errors) = (nil, -1, -1)
            return
        }
        output = out[0]
        errors = complaints[0]
        child = Self.start(words, variables, input, output: out[1], errors: complaints[1])
        close(out[1])
        close(complaints[1])
    }

    private static func start(
        _ words: [[UInt8]], _ variables: [[UInt8]], _ input: [UInt8], output: Int32, errors: Int32
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let file = input.isEmpty ? nil : tmpfile()
        defer { if let file { fclose(file) } }
        if let file {
            fwrite(input, 1, input.count, file)
            rewind(file)
            posix_spawn_file_actions_adddup2(&actions, fileno(file), STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This thread blocks every signal, and libdbus ignores SIGPIPE.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        sigaddset(&none, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var child = pid_t()
        let code = withVector(words) { words in
            withVector(variables) { variables in
                words[0].map { posix_spawn(&child, $0, &actions, &attributes, words, variables) } ?? ENOENT
            }
        }
        return code == 0 ? child : nil
    }

    private static func withVector<Result>(
        _ texts: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { text in strdup(text.map { CChar(bitPattern: $0) } + [0]) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    /// Reads to the end of its output and waits for its end; ends it if that takes too long, or the output is too long.
    /// - Parameter most: How many bytes the output may have.
    func finish(within patience: Duration, most: Int) -> End {
        defer { for end in [output, errors] where end >= 0 { close(end) } }
        guard let child else { return End(status: nil, output: [], errors: []) }
        var text: [UInt8] = []
        var complaint: [UInt8] = []
        let isWhole = read(into: &text, &complaint, until: .now + patience, most: most)
        var status: Int32 = 0
        if !isWhole {
            if Self.endsByItself(child, &status) { return End(status: nil, output: text, errors: complaint) }
            kill(child, SIGKILL)
        }
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { break } }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
        return End(status: isWhole ? code : nil, output: text, errors: complaint)
    }

    /// Tells a program to end, and waits for that a while; what has ended is waited for no more.
    private static func endsByItself(_ child: pid_t, _ status: inout Int32) -> Bool {
        kill(child, SIGTERM)
        return clinux_await_child(child, Int32(grace / .milliseconds(1))) && waitpid(child, &status, WNOHANG) == child
    }

    private func read(into text: inout [UInt8], _ complaint: inout [UInt8], until deadline: Instant, most: Int) -> Bool
    {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var isOpen = (output: true, errors: true)
        while isOpen.output || isOpen.errors {
            let left = Instant.now.duration(to: deadline)
            guard left > .zero, text.count <= most else { return false }
            var states = [
                pollfd(fd: isOpen.output ? output : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.errors ? errors : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&states, 2, Int32(clamping: Int64(left / .milliseconds(1)) + 1)) > 0 else { continue }
            if states[0].revents != 0 {
                let count = Glibc.read(output, &buffer, buffer.count)
                if count > 0 { text += buffer[..<count] } else { isOpen.output = false }
            }
            if states[1].revents != 0 {
                let count = Glibc.read(errors, &buffer, buffer.count)
                if count > 0 {
                    complaint = (complaint + buffer[..<count]).suffix(Self.mostErrors)
                } else {
                    isOpen.errors = false
                }
            }
        }
        return true
    }

    /// The environment of this process, as `NAME=VALUE`.
    static var inheritedVariables: [[UInt8]] {
        var variables: [[UInt8]] = []
        var next = environ
        while let text = next.pointee {
            variables.append(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
            next += 1
        }
        return variables
    }
}
