import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Setup

/// A machine in a temporary directory: programs, directories of libraries, and an installation of Roundel.
private final class Machine {
    let directory: TemporaryDirectory
    var variables: [String: String] = [:]

    var root: FilePath { directory.path }

    init() throws {
        directory = try TemporaryDirectory()
        for folder in ["bin", "lib", "lib/x86_64-linux-gnu", "ours/bin"] { try make(folder) }
        try write("ours/bin/roundel", "")
    }

    var installation: Installation {
        let environment = variables.merging(["PATH": "\(root)/bin"]) { own, _ in own }
        return Installation(
            prefix: root.appending("ours"), systemFolder: root.appending("kept").appending("user-1"),
            libraries: [root.appending("lib"), root.appending("lib").appending("x86_64-linux-gnu")],
            environment: { environment[$0] })
    }

    func path(_ name: String) -> FilePath { root.appending(FilePath(name).components) }
    func make(_ folder: String) throws { try OwnFiles.makeDirectory(path(folder)) }

    func write(_ file: String, _ text: String) throws {
        try OwnFiles.write(text, to: path(file))
        chmod(path(file).string, 0o755)
    }

    /// A program that looks for plugins in that directory, as it says itself.
    func install(_ program: String, looksIn folder: String) throws {
        try write("bin/\(program)", "\u{7F}ELF\0some text\0/etc/other\0\(root)/\(folder)\0more\0")
    }

    func survey(_ program: String) throws -> InstalledFileManager {
        let manager = try #require(SupportedFileManager.all.first { $0.program == program })
        return try #require(InstalledFileManager(manager, installation))
    }

    static let nemoFolder = "lib/x86_64-linux-gnu/nemo/extensions-3.0"
    static let nemoPlugin = "\(nemoFolder)/libroundel-nemo.so"
    static let cajaPlugin = "lib/x86_64-linux-gnu/caja/extensions-2.0/libroundel-caja.so"

    /// A machine with Nemo, and an installation with its plugin.
    static func withNemo() throws -> Machine {
        let machine = try Machine()
        try machine.install("nemo", looksIn: nemoFolder)
        try machine.write("ours/\(nemoPlugin)", "plugin")
        return machine
    }
}

@Suite struct CompiledPathTests {
    private func find(_ ending: String, in text: String) -> [String] {
        Array(text.utf8).withUnsafeBytes { CompiledPath.find(ending: ending, in: $0).map(\.string) }
    }

    @Test(arguments: [
        ("x\0/usr/lib/nemo/extensions-3.0\0", ["/usr/lib/nemo/extensions-3.0"]),
        ("/a/nemo/extensions-3.0:/b/nemo/extensions-3.0\0", ["/a/nemo/extensions-3.0", "/b/nemo/extensions-3.0"]),
        ("/a/nemo/extensions-3.0\0/a/nemo/extensions-3.0\0", ["/a/nemo/extensions-3.0"]),
        ("/a/nemo/extensions-3.0/x\0", []), ("a/nemo/extensions-3.0\0", []), ("/a/nemo/extensions-3.0", []),
        ("", []), ("/nemo", []),
    ])
    func wholeAbsolutePathsAreFound(text: String, paths: [String]) {
        #expect(find("/nemo/extensions-3.0", in: text) == paths)
    }
}

@Suite struct SessionVariablesTests {
    @Test func whatIsWrittenIsRead() {
        var variables = SessionVariables()
        variables.directories = ["CAJA_EXTENSION_DIRS": "/home/a b/x", "QT_PLUGIN_PATH": "/ö/plugins"]
        #expect(SessionVariables(variables.text) == variables)
        #expect(variables.text.contains("\nQT_PLUGIN_PATH=\"${QT_PLUGIN_PATH:+$QT_PLUGIN_PATH:}/ö/plugins\"\n"))
        #expect(SessionVariables("CAJA_EXTENSION_DIRS=/x\n") == nil)
    }

    @Test(arguments: [
        ("/home/ada/.local/lib", true), ("/home/a:b", false), ("/home/$x", false), ("/a\"b", false), ("/a\\b", false),
        ("/a\nb", false), ("/a b", true),
    ])
    func onlyDirectoriesWithoutAMeaningOfTheirOwnAreNamed(directory: String, allowed: Bool) {
        #expect(SessionVariables.canHold(FilePath(directory)) == allowed)
    }

    @Test(arguments: [
        ("GNOME", true, true), ("ubuntu:GNOME", true, true), ("KDE", true, true), ("MATE", true, false),
        ("XFCE", true, false), ("KDE", false, false), (nil, true, false),
    ])
    func desktopsDiffer(desktop: String?, hasUserManager: Bool, reached: Bool) {
        #expect(SessionVariables.reachPrograms(ofDesktop: desktop, hasUserManager: hasUserManager) == reached)
    }

    @Test func somebodyElsesFileIsLeftAsItIs() throws {
        let machine = try Machine()
        try machine.write("60-roundel.conf", "CAJA_EXTENSION_DIRS=/theirs\n")
        #expect(throws: SetupFailure.self) { try SessionVariables.read(machine.path("60-roundel.conf")) }
    }
}

@Suite struct InstalledFileManagerTests {
    @Test func theProgramSaysWhereItLooksAndTheInstallationWhatItHas() throws {
        let machine = try Machine.withNemo()
        let nemo = try machine.survey("nemo")
        #expect(nemo.libraries[0].place == machine.path(Machine.nemoPlugin))
        #expect(nemo.libraries[0].built == machine.path("ours/\(Machine.nemoPlugin)"))
        #expect(nemo.standing == .missing)
        let caja = try #require(SupportedFileManager.all.first { $0.program == "caja" })
        #expect(InstalledFileManager(caja, machine.installation) == nil)
    }

    @Test func whatIsInThePlaceDecides() throws {
        let machine = try Machine.withNemo()
        try machine.make(Machine.nemoFolder)
        let place = machine.path(Machine.nemoPlugin)
        try OwnFiles.link(place, to: "/nowhere/libroundel-nemo.so")
        #expect(try machine.survey("nemo").standing == .missing)
        try OwnFiles.link(place, to: machine.path("ours/\(Machine.nemoPlugin)"))
        #expect(try machine.survey("nemo").standing == .inPlace)
        try machine.write("kept/user-1/libroundel-nemo.so", "older")
        try OwnFiles.link(place, to: machine.path("kept/user-1/libroundel-nemo.so"))
        #expect(try machine.survey("nemo").standing == .outdated)
        try machine.write("kept/user-1/libroundel-nemo.so", "plugin")
        #expect(try machine.survey("nemo").libraries[0].occupant == .ours)
        try OwnFiles.remove(place)
        try machine.write(Machine.nemoPlugin, "somebody else's")
        #expect(try machine.survey("nemo").libraries[0].occupant == .another)
        #expect(try machine.survey("nemo").standing == .inPlace)
    }

    @Test func whereThePluginIsAPackageTheRemedyInstallsIt() throws {
        let machine = try Machine()
        try machine.install("nemo", looksIn: Machine.nemoFolder)
        #expect(try machine.survey("nemo").remedyForNoPlugin == .buildPlugins)
        try machine.write("ours/share/roundel/plugin-command", "sudo apt install roundel-%s\n")
        #expect(
            try machine.survey("nemo").remedyForNoPlugin == .installPlugin(command: "sudo apt install roundel-nemo"))
    }

    @Test func anInstallationWithoutThePluginSaysSo() throws {
        let machine = try Machine()
        try machine.install("nemo", looksIn: Machine.nemoFolder)
        #expect(try machine.survey("nemo").standing == .notBuilt)
        try machine.write("bin/nemo", "#!/bin/sh\nexec nemo-real\n")
        try machine.write("ours/\(Machine.nemoPlugin)", "plugin")
        #expect(try machine.survey("nemo").standing == .placeUnknown)
    }

    @Test func dolphinLooksBelowThePluginsOfItsQtForAllLibraries() throws {
        let machine = try Machine()
        try machine.write("bin/dolphin", "\u{7F}ELF\0libQt5Core.so.5\0")
        try machine.make("lib/x86_64-linux-gnu/qt5/plugins/platforms")
        try machine.make("lib/x86_64-linux-gnu/qt6/plugins/platforms")
        let plugins = "ours/lib/x86_64-linux-gnu/qt5/plugins"
        try machine.write("\(plugins)/kf5/overlayicon/roundeloverlay.so", "1")
        #expect(try machine.survey("dolphin").standing == .notBuilt)
        try machine.write("\(plugins)/kf5/kfileitemaction/roundelitemaction.so", "2")
        #expect(try machine.survey("dolphin").standing == .notBuilt)
        try machine.write("\(plugins)/kf5/propertiesdialog/roundelproperties.so", "3")
        let dolphin = try machine.survey("dolphin")
        #expect(dolphin.standing == .missing)
        #expect(dolphin.directoryToName == machine.path(plugins))
        #expect(
            dolphin.libraries.map(\.place) == [
                machine.path("lib/x86_64-linux-gnu/qt5/plugins/kf5/overlayicon/roundeloverlay.so"),
                machine.path("lib/x86_64-linux-gnu/qt5/plugins/kf5/kfileitemaction/roundelitemaction.so"),
                machine.path("lib/x86_64-linux-gnu/qt5/plugins/kf5/propertiesdialog/roundelproperties.so"),
            ])
        machine.variables["QT_PLUGIN_PATH"] = "/elsewhere:\(machine.path(plugins))"
        #expect(try machine.survey("dolphin").standing == .named)
    }
}

@Suite struct SetupPlanTests {
    /// A machine with Caja and Nemo, and an installation with both plugins.
    private func machine() throws -> Machine {
        let machine = try Machine.withNemo()
        try machine.install("caja", looksIn: "lib/x86_64-linux-gnu/caja/extensions-2.0")
        try machine.write("ours/\(Machine.cajaPlugin)", "plugin")
        return machine
    }

    private func plan(_ machine: Machine, _ current: SessionVariables = .init(), reaches: Bool) throws -> SetupPlan {
        SetupPlan(
            [try machine.survey("nemo"), try machine.survey("caja")], current: current, reachesPrograms: reaches)
    }

    @Test func whatAVariableCanDoNeedsNoAdministrator() throws {
        let machine = try machine()
        let plan = try plan(machine, reaches: true)
        #expect(plan.administrator.map(\.program) == ["nemo"])
        let folder = machine.path("ours/\(Machine.cajaPlugin)").removingLastComponent()
        #expect(plan.variables.directories == ["CAJA_EXTENSION_DIRS": folder])
    }

    @Test func whereNoVariableReachesTheProgramsTheAdministratorDoesIt() throws {
        let machine = try machine()
        let plan = try plan(machine, reaches: false)
        #expect(plan.administrator.map(\.program) == ["nemo", "caja"])
        #expect(plan.variables.directories.isEmpty)
    }

    @Test func whatIsInPlaceIsNamedByNoVariableBesides() throws {
        let machine = try machine()
        let before = try plan(machine, reaches: true).variables
        #expect(try plan(machine, before, reaches: false).variables == before)
        try machine.write(Machine.cajaPlugin, "of another installation")
        #expect(try plan(machine, before, reaches: true).variables.directories.isEmpty)
    }

    @Test func removingForgetsTheVariables() throws {
        let machine = try machine()
        let before = try plan(machine, reaches: true).variables
        let nemo = SupportedFileManager.all.filter { $0.program == "nemo" }
        let plan = SetupPlan(removing: SupportedFileManager.all, current: before, linked: nemo)
        #expect(plan.variables.directories.isEmpty && plan.administrator == nemo)
        #expect(SetupPlan(removing: nemo, current: before, linked: nemo).variables == before)
    }
}

@Suite struct SetupRunTests {
    @Test("The plan says what only root can do, and changes nothing")
    func plan() async throws {
        let machine = try Machine.withNemo()
        machine.variables["HOME"] = "\(machine.root)/home"
        let run = SetupRun(machine.installation, managers: SupportedFileManager.all, isForAll: true)
        #expect(try await run.plan().administrator.map(\.program) == ["nemo"])
        #expect(try run.planOfRemoval().administrator.isEmpty)
        #expect(!FileSystemFacts.exists(machine.path("home")))
        #expect(try machine.survey("nemo").standing == .missing)
    }

    @Test("What only root can do is offered once, and is left if nobody does it", arguments: [true, false])
    func offer(isRemoving: Bool) async throws {
        let machine = try Machine.withNemo()
        machine.variables["HOME"] = "\(machine.root)/home"
        let run = SetupRun(machine.installation, managers: SupportedFileManager.all, isForAll: false)
        if isRemoving { try SystemPlaces(installation: machine.installation).put(try machine.survey("nemo")) }
        let offered = Mutex<[[String]]>([])
        let offer: SetupRun.Offer = { step in
            offered.withLock { $0.append(step.command) }
            return false
        }
        let report =
            isRemoving ? try await run.remove(offer: offer) : try await run.put(emblems: false, offer: offer)
        let command = try #require(report.command)
        #expect(offered.withLock { $0 } == [command])
        // The machine has neither sudo nor pkexec, so the command is one word for su.
        #expect(command.last?.hasSuffix(isRemoving ? " setup --remove nemo" : " setup nemo") == true)
        #expect(report.plugins.map(\.state) == [.administrator])
        #expect(report.findings.last?.remedy == .runAsRoot(command))
    }
}

@Suite struct SystemPlacesTests {
    @Test func aPluginThatOthersCanChangeIsCopiedAndLinkedAndRemovedWithoutATrace() throws {
        let machine = try Machine.withNemo()
        let places = SystemPlaces(installation: machine.installation)
        for _ in 1...2 {
            try places.put(try machine.survey("nemo"))
            #expect(try machine.survey("nemo").standing == .inPlace)
        }
        let place = machine.path(Machine.nemoPlugin)
        #expect(FileSystemFacts.target(ofLink: place) == machine.path("kept/user-1/libroundel-nemo.so"))
        // What was installed is updated, then removed: the link leads to the copy all the while.
        try machine.write("ours/\(Machine.nemoPlugin)", "newer")
        #expect(try machine.survey("nemo").standing == .outdated)
        try places.put(try machine.survey("nemo"))
        #expect(try machine.survey("nemo").standing == .inPlace)
        try OwnFiles.remove(machine.path("ours/\(Machine.nemoPlugin)"))
        #expect(FileSystemFacts.exists(place))
        try places.remove(SupportedFileManager.all)
        #expect(!FileSystemFacts.exists(machine.path("kept")))
        #expect(!FileSystemFacts.exists(machine.path("lib/x86_64-linux-gnu/nemo")))
        #expect(FileSystemFacts.exists(machine.path("lib/x86_64-linux-gnu")))
    }

    @Test func whatSomebodyElsePutThereStays() throws {
        let machine = try Machine.withNemo()
        try machine.write(Machine.nemoPlugin, "theirs")
        try machine.write("\(Machine.nemoFolder)/other.so", "theirs")
        let places = SystemPlaces(installation: machine.installation)
        try places.put(try machine.survey("nemo"))
        try places.remove(SupportedFileManager.all)
        #expect(FileSystemFacts.exists(machine.path("\(Machine.nemoFolder)/other.so")))
        #expect(FileSystemFacts.withContents(of: machine.path(Machine.nemoPlugin)) { $0.count } == 6)
    }

    @Test func aLinkOfNobodyIsReplacedAndOneOfAnotherInstallationIsNot() throws {
        let machine = try Machine.withNemo()
        let places = SystemPlaces(installation: machine.installation)
        try machine.make(Machine.nemoFolder)
        try OwnFiles.link(machine.path(Machine.nemoPlugin), to: "/gone/libroundel-nemo.so")
        try places.put(try machine.survey("nemo"))
        #expect(try machine.survey("nemo").standing == .inPlace)
        try machine.write("theirs/libroundel-nemo.so", "theirs")
        try OwnFiles.link(machine.path(Machine.nemoPlugin), to: machine.path("theirs/libroundel-nemo.so"))
        try places.put(try machine.survey("nemo"))
        try places.remove(SupportedFileManager.all)
        #expect(
            FileSystemFacts.target(ofLink: machine.path(Machine.nemoPlugin))
                == machine.path("theirs/libroundel-nemo.so"))
    }
}

// One at a time: what one of them maps into this process, another one would see there.
@Suite(.serialized) struct SetupReportTests {
    @Test func doctorNamesOneCommandAndHowItIsFound() throws {
        let machine = try Machine.withNemo()
        let missing = Plugins(machine.installation).findings
        #expect(missing.map(\.verdict) == [.problem])
        #expect(missing[0].remedy == .setUp(command: "\(machine.root)/ours/bin/roundel", emblems: false))
        try OwnFiles.link(machine.path("bin/roundel"), to: machine.path("ours/bin/roundel"))
        #expect(Plugins(machine.installation).findings[0].remedy == .setUp(command: "roundel", emblems: false))
        try machine.write(Machine.nemoPlugin, "plugin")
        #expect(Plugins(machine.installation).findings.map(\.verdict) == [.good])
        try machine.write("bin/pcmanfm-qt", "")
        #expect(Plugins(machine.installation).findings.map(\.verdict) == [.good, .advice])
        try machine.write("ours/bin/roundel-metadata", "")
        #expect(Plugins(machine.installation).findings.last?.remedy == .setUp(command: "roundel", emblems: true))
    }

    @Test func withoutAFileManagerThatIsSaid() throws {
        #expect(Plugins(try Machine().installation).findings.map(\.verdict) == [.advice])
    }

    @Test func aFileManagerIsReadyWhenItsProcessesHaveThePlugin() throws {
        let machine = try Machine.withNemo()
        try machine.write(Machine.nemoPlugin, "plugin")
        let nemo = try machine.survey("nemo")
        #expect(PluginReport(nemo, .init(), running: []).state == .nextStart)
        let own = RunningProcess(process: getpid(), program: nemo.program)
        let report = PluginReport(nemo, .init(), running: [own])
        #expect(report.state == .nextStart && report.quit == "nemo -q")
    }

    @Test func whatAFileManagerHasStartedIsNoProcessOfIt() throws {
        let machine = try Machine.withNemo()
        try machine.write(Machine.nemoPlugin, "plugin")
        let nemo = try machine.survey("nemo")
        let plugin = try FileDescriptor.open(machine.path(Machine.nemoPlugin), .readOnly)
        let mapped = mmap(nil, 6, PROT_READ, MAP_PRIVATE, plugin.rawValue, 0)
        try plugin.close()
        defer { munmap(mapped, 6) }
        let own = RunningProcess(process: getpid(), program: nemo.program)
        #expect(PluginReport(nemo, .init(), running: [own]).state == .ready)
        // It was a copy of the file manager until it became another program.
        let child = try RunningProgram(
            ["bash", "-c", "echo ready; while :; do sleep 1; done"], environment: RunningProgram.inheritedEnvironment)
        #expect(try child.line() == "ready")
        let former = RunningProcess(process: child.identifier, program: nemo.program)
        #expect(PluginReport(nemo, .init(), running: [own, former]).state == .ready)
        // One that runs on without the plugin is another matter.
        let script = "cp --remove-destination /bin/bash \"$0\"; exec \"$0\" -c 'echo ready; while :; do sleep 1; done'"
        let older = try RunningProgram(
            ["bash", "-c", script, nemo.program.string], environment: RunningProgram.inheritedEnvironment)
        #expect(try older.line() == "ready")
        let running = RunningProcess.all().filter { $0.process == older.identifier }
        #expect(running.map(\.program) == [nemo.program])
        #expect(PluginReport(nemo, .init(), running: [own] + running).state == .nextStart)
    }

    @Test func aProcessThatMappedALibraryHasLoadedIt() {
        let own = RunningProcess(process: getpid(), program: "/self")
        #expect(own.hasLoaded("libc.so.6") && !own.hasLoaded("libroundel-nemo.so") && !own.hasLoaded("c.so.6"))
    }

    @Test(arguments: [
        (["sudo", "pkexec"], "sudo '/opt/a b/roundel' --remove"),
        (["pkexec"], "pkexec '/opt/a b/roundel' --remove"),
        ([], "su -c ''\\''/opt/a b/roundel'\\'' --remove'"),
    ])
    func theCommandForRootIsOneThatTheMachineHas(programs: [String], text: String) {
        let command = Administrator.command(["/opt/a b/roundel", "--remove"]) { programs.contains($0) }
        #expect(Administrator.text(command) == text)
    }
}
