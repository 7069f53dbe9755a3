import Support

// The texts of `roundel setup`.
extension Text {
    static func pluginReady(_ manager: String) -> String { Phrase.text("{1}: ready now.", manager) }

    /// - Parameter quit: The command that ends the running process; nil if closing its windows does that.
    static func pluginNextStart(_ manager: String, quit: String?) -> String {
        quit.map { Phrase.text("{1}: ready after its next start. It runs now; end it with: {2}", manager, $0) }
            ?? Phrase.text("{1}: ready after its next start.", manager)
    }

    static func pluginNextLogin(_ manager: String) -> String {
        Phrase.text("{1}: ready after your next login.", manager)
    }
    static func pluginNeedsRoot(_ manager: String) -> String { Phrase.text("{1}: needs an administrator.", manager) }
    static func pluginRemoved(_ manager: String) -> String { Phrase.text("{1}: Roundel's plugin is removed.", manager) }
    static func pluginStays(_ manager: String) -> String {
        Phrase.text("{1}: its plugin stays: it came with an installation, and goes with that.", manager)
    }

    static func pluginRemovedAtNextStart(_ manager: String, quit: String?) -> String {
        quit.map {
            Phrase.text(
                "{1}: Roundel's plugin is removed, which shows after its next start. It runs now; end it with: {2}",
                manager, $0)
        } ?? Phrase.text("{1}: Roundel's plugin is removed, which shows after its next start.", manager)
    }

    static var runAsRoot: String {
        Phrase.text("The system's directories are root's alone. As an administrator, run:")
    }

    static func rootPuts(_ managers: [String]) -> String {
        Phrase.text(
            "These look for plugins in the system's directories only, where only root can put them: {1}",
            managers.joined(separator: ", "))
    }

    static func rootRemoves(_ managers: [String]) -> String {
        Phrase.text(
            "These have plugins in the system's directories, where only root can take them away: {1}",
            managers.joined(separator: ", "))
    }

    static var runNow: String { Phrase.text("Run it now? [y/N]") }

    static var serviceEnabled: String { Phrase.text("The badge service runs, and starts with each session.") }
    static var serviceOnDemand: String {
        Phrase.text("The badge service runs; the bus starts it when a program asks for it.")
    }
    static var noBusForServices: String {
        Phrase.text("There is no session bus here, so no service was started.")
    }

    static func stubborn(_ program: String, _ process: Int32) -> String {
        Phrase.text("{1} (process {2}) does not end.", program, "\(process)")
    }

    static func noHelper(_ name: String) -> String {
        Phrase.text("This installation has no {1}, which writes the emblems.", name)
    }
    static func helperNotStarted(_ name: String) -> String { Phrase.text("{1} could not be started.", name) }
    static func helperEnded(_ name: String) -> String { Phrase.text("{1} was started and does not run.", name) }

    static var installationUnknown: String {
        Phrase.text("It cannot be found out where Roundel is installed: is /proc mounted?")
    }

    static func foreignVariables(_ path: String) -> String {
        Phrase.text(
            """
            “{1}” was not written by `roundel setup`, so it is left as it is. \
            Give it another name, and run `roundel setup` again.
            """, path)
    }

    static func notTheInstallers(_ path: String) -> String {
        Phrase.text("“{1}” is no file of the person who installed Roundel.", path)
    }

    static func cannotMake(_ path: String, because code: Int32) -> String {
        Phrase.text("“{1}” cannot be made: {2}.", path, SystemError.description(of: code))
    }
    static func cannotWrite(_ path: String, because code: Int32) -> String {
        Phrase.text("“{1}” cannot be written: {2}.", path, SystemError.description(of: code))
    }
    static func cannotRemove(_ path: String, because code: Int32) -> String {
        Phrase.text("“{1}” cannot be removed: {2}.", path, SystemError.description(of: code))
    }

    static func unknownFileManager(_ name: String, known: [String]) -> String {
        Phrase.text("There is no plugin for “{1}”; there are some for {2}.", name, known.joined(separator: ", "))
    }
    static var removingEmblems: String {
        Phrase.text("--remove takes the emblems away, too; --emblems has no meaning there.")
    }
}
