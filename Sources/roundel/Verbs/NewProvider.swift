import ArgumentParser
import RoundelBus
import Support
import SystemPackage

/// Writes a provider that runs, to begin with.
struct NewProviderCommand: AsyncParsableCommand {
    /// The languages of the skeletons.
    enum Language: String, ExpressibleByArgument, CaseIterable {
        case python, c, swift
    }

    static let configuration = CommandConfiguration(
        commandName: "new-provider", abstract: tr("Write a sync engine that runs, to begin with."),
        discussion: tr(
            """
            Makes a directory of this name with a provider that shows everything in one folder as synced, the manifest \
            by which Roundel finds it, and the file by which the bus starts it. `roundel check-provider` says what is still \
            wrong with what you make of it; what a provider can do besides is in Documentation/writing-a-provider.md.
            """))

    @Argument(
        help: ArgumentHelp(
            tr("The directory to make. Its name is the provider's id: a-z, then at most 31 of a-z 0-9 -."),
            valueName: "name"))
    var path: String

    @Option(help: ArgumentHelp(tr("python, c or swift.")))
    var language: Language = .python

    @Option(
        help: ArgumentHelp(
            tr("For swift: the sources of Roundel, with the package that has the library RoundelBus."),
            valueName: "dir"), completion: .directory)
    var sources: String = "../roundel"

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let place = try ItemArgument.parse(path).uri
        guard let id = ProviderID(place.displayName) else {
            throw CommandFailure(
                tr("“{1}” is no id of a provider: a-z, then at most 31 of a-z 0-9 -.", place.displayName),
                status: .usage)
        }
        let folder = place.filePath
        guard ListedItem.kind(of: folder) == nil else {
            throw CommandFailure(tr("“{1}” is there already.", place.sentencePath))
        }
        let skeleton = Skeleton(id: id.rawValue, language: language, sources: sources)
        for file in skeleton.files {
            do throws(Errno) {
                try SmallFile.replace(
                    folder.appending(file.name), with: Array(file.text.utf8),
                    permissions: file.isProgram
                        ? [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute]
                        : [.ownerReadWrite, .groupRead, .otherRead])
            } catch {
                throw CommandFailure(
                    tr("“{1}” cannot be written: {2}.", file.name, SystemError.description(of: error.rawValue)))
            }
        }
        let console = Console()
        if output.json {
            let files = skeleton.files.map { JSON.string($0.name) }
            return console.print(
                .object(JSON.item(place.uri) + [.init("id", .string(id.rawValue)), .init("files", .array(files))]))
        }
        for file in skeleton.files { console.print(DisplayText.escaped("\(path)/\(file.name)")) }
        console.print(tr("Try it with: {1}", skeleton.trial))
    }
}

/// The files of a new provider.
private struct Skeleton {
    struct File {
        let name: String
        let text: String
        var isProgram = false
    }

    let id: String
    let language: NewProviderCommand.Language
    /// Where the sources of Roundel are.
    let sources: String

    /// The name for people.
    private var title: String { id.prefix(1).uppercased() + id.dropFirst() }
    /// An element of a bus name has no hyphen.
    private var element: String { id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() }
    private var busName: String { "org.example.\(element)" }
    private var program: String { language == .python ? "\(id).py" : id }

    var files: [File] {
        let own =
            switch language {
            case .python: [File(name: "\(id).py", text: filled(PythonSkeleton.text), isProgram: true)]
            case .c:
                [
                    File(name: "\(id).c", text: filled(CSkeleton.text)),
                    File(name: "Makefile", text: filled(CSkeleton.makefile)),
                ]
            case .swift:
                [
                    File(name: "Package.swift", text: filled(SwiftSkeleton.package)),
                    File(name: "Sources/\(id)/main.swift", text: filled(SwiftSkeleton.main)),
                    File(name: "Sources/\(id)/Engine.swift", text: filled(SwiftSkeleton.engine)),
                ]
            }
        return own + [
            File(name: "\(id).provider", text: filled(Self.manifest)),
            File(name: "\(busName).service", text: filled(Self.service)),
        ]
    }

    /// A command that shows whether it works.
    var trial: String {
        switch language {
        case .python: "cd \(id) && roundel check-provider \(id).provider -- ./\(id).py {}"
        case .c: "cd \(id) && make && roundel check-provider \(id).provider -- ./\(id) {}"
        case .swift:
            "cd \(id) && swift build && roundel check-provider \(id).provider -- .build/debug/\(id) {}"
        }
    }

    private static let manifest = """
        # Goes to share/roundel/providers below /usr, /usr/local or ~/.local.
        [Provider]
        Name=@NAME@
        Icon=folder
        BusName=@BUS@
        ObjectPath=@OBJECT@

        """

    private static let service = """
        # Goes to share/dbus-1/services below /usr, /usr/local or ~/.local, with the place of the program and its folder.
        [D-BUS Service]
        Name=@BUS@
        Exec=/usr/local/bin/@PROGRAM@ /home/me/@NAME@

        """

    private func filled(_ text: String) -> String {
        let values = [
            ("@NAME@", title), ("@BUS@", busName), ("@OBJECT@", "/org/example/\(element)"), ("@PROGRAM@", program),
            ("@SOURCES@", sources), ("@ID@", id),
        ]
        return values.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
