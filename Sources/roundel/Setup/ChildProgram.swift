import Glibc

/// A program that this command starts.
enum ChildProgram {
    /// Runs a program, which has this command's terminal, to its end.
    /// - Parameter isSilent: Whether what it prints is of no use; what it complains about always is.
    /// - Returns: its exit status; nil where it could not be started or was killed.
    static func run(_ words: [String], isSilent: Bool = false) -> Int32? {
        guard let child = spawn(words, isDetached: false, closing: isSilent ? [STDOUT_FILENO] : []) else { return nil }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Starts a program that goes on when this command has ended.
    /// - Returns: whether it was started.
    static func start(_ words: [String]) -> Bool {
        spawn(words, isDetached: true, closing: [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]) != nil
    }

    private static func spawn(_ words: [String], isDetached: Bool, closing: [Int32]) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child shall have no signal blocked or ignored that this process' threads have, as libdbus does with SIGPIPE.
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
        let vector = words.map { strdup($0) } + [nil]
        defer { for word in vector { free(word) } }
        var child = pid_t()
        return posix_spawnp(&child, words[0], &actions, &attributes, vector, environ) == 0 ? child : nil
    }

    /// POSIX_SPAWN_SETSID (spawn.h), which the system's module map leaves out.
    private static let detached: Int16 = 0x80
}
