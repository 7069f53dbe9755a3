import DBus
import Glibc
import Support
import SystemPackage

/// A bus of a check's own, with a new home directory: nothing of the person's is touched, and no service of the session
/// is started. It goes with the check.
final class PrivateSession {
    /// Where everything of it is.
    let directory: String
    /// The address of the bus.
    let address: String
    private let bus: CheckedProgram
    private var programs: [CheckedProgram] = []

    init() throws(CommandFailure) {
        // The path of a socket is short.
        var template = Array("/tmp/roundel-check.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(
                tr("There is no room for a check: {1}.", SystemError.description(of: errno)))
        }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        address = "unix:path=\(directory)/bus"
        for name in ["home", "run"] { mkdir("\(directory)/\(name)", 0o700) }
        do {
            let settings = "\(directory)/bus.conf"
            try Self.write(Self.settings(directory), to: settings)
            bus = try CheckedProgram(
                ["dbus-daemon", "--config-file=\(settings)", "--nofork", "--nopidfile", "--nosyslog"],
                environment: Self.inherited, isQuiet: true)
        } catch {
            Self.remove(directory)
            throw error
        }
    }

    /// Ends the programs and the bus, and removes the directory.
    func close() {
        for program in programs { program.end() }
        bus.end()
        Self.remove(directory)
    }

    /// The new home directory.
    var home: String { directory + "/home" }

    /// Connects to the bus, as soon as it listens.
    func connect() async throws -> AsyncConnection {
        let deadline = Instant.now.advanced(by: Patience.Checking.bus)
        while true {
            do {
                return try await AsyncConnection.open(.address(address))
            } catch let error as DBusError {
                guard bus.isRunning, Instant.now < deadline else { throw CommandFailure(error.message) }
                try await Task.sleep(for: Patience.Checking.looking)
            }
        }
    }

    /// Starts a program on the bus.
    /// - Parameter home: Its home directory; nil for that of this process.
    func start(_ words: [String], home: String?) throws(CommandFailure) -> CheckedProgram {
        var environment = Self.inherited
        for name in ["DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE"] { environment[name] = nil }
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        if let home {
            for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
                environment[name] = nil
            }
            environment["HOME"] = home
            environment["XDG_RUNTIME_DIR"] = "\(directory)/run"
        }
        let program = try CheckedProgram(words, environment: environment)
        programs.append(program)
        return program
    }

    /// Makes a directory with some items in the home directory, and gives its path.
    /// - Parameter names: The names of files, and of directories with a slash at their end.
    func makeFolder(_ name: String, _ names: [String]) throws(CommandFailure) -> String {
        let folder = "\(home)/\(name)"
        mkdir(folder, 0o700)
        for name in names {
            if name.hasSuffix("/") {
                mkdir("\(folder)/\(name)", 0o700)
            } else {
                try Self.write("x", to: "\(folder)/\(name)")
            }
        }
        return folder
    }

    static func write(_ text: String, to path: String) throws(CommandFailure) {
        guard let file = fopen(path, "w") else {
            throw CommandFailure(tr("“{1}” cannot be written: {2}.", path, SystemError.description(of: errno)))
        }
        fputs(text, file)
        fclose(file)
    }

    private static var inherited: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return variables
    }

    /// Removes a directory with all that a program may have left there. Links are not followed.
    private static func remove(_ directory: String) {
        for item in (try? ListedItem.list(FilePath(directory))) ?? [] {
            let path = FilePath(directory).appending(FilePath(bytes: item.name).components).string
            if item.kind == .directory { remove(path) } else { unlink(path) }
        }
        rmdir(directory)
    }

    /// A bus that starts no service: what is checked is started by the check.
    private static func settings(_ directory: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(directory)/bus</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>

        """
    }
}
