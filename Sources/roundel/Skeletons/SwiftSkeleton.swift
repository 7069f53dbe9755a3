/// A provider in Swift, with the library RoundelBus.
enum SwiftSkeleton {
    static let package = #"""
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "@ID@",
            dependencies: [
                // The sources of Roundel, with the library RoundelBus; where they lie is for you to say.
                .package(name: "Roundel", path: "@SOURCES@"),
                .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
            ],
            targets: [
                .executableTarget(
                    name: "@ID@",
                    dependencies: [
                        .product(name: "RoundelBus", package: "Roundel"), .product(name: "DBus", package: "Roundel"),
                        .product(name: "SystemPackage", package: "swift-system"),
                    ])
            ])

        """#

    static let main = #"""
        import DBus
        import Glibc
        import RoundelBus
        import SystemPackage

        // @NAME@: a sync engine, as far as file managers see it. Run it with the folder as its argument, and look at the
        // folder with `roundel ls`.
        guard CommandLine.arguments.count == 2, let path = realpath(CommandLine.arguments[1], nil) else {
            complain("Usage: @ID@ FOLDER")
            exit(64)
        }
        let loop = try EventLoop()
        let signals = try loop.watchSignals([SIGTERM, SIGINT]) { _ in loop.stop() }
        let bus = try Connection.openSessionBus(on: loop)
        bus.onDisconnect = { loop.stop() }
        let engine = Engine(folder: try ItemURI(path: FilePath(platformString: path)), on: bus)
        bus.requestName("@BUS@", flags: [.doNotQueue]) { result in
            guard case .success(let reply) = result, reply.isOwner else {
                complain("It runs already.")
                return loop.stop()
            }
            do { try engine.start() } catch { complain("\(error)") }
        }
        loop.run()
        engine.stop()
        signals.cancel()
        bus.close()

        """#

    static let engine = #"""
        import DBus
        import Glibc
        import RoundelBus
        import SystemPackage

        /// Says something on the standard error.
        func complain(_ sentence: String) {
            let line = Array("@ID@: \(sentence)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
        }

        /// Everything in its folder is synced; `badge(of:)` is where yours says what it knows.
        final class Engine: Provider {
            private let folder: ItemURI
            private let bus: Connection
            private var link: ProviderLink?

            init(folder: ItemURI, on bus: Connection) {
                self.folder = folder
                self.bus = bus
            }

            /// Registers, and again whenever the badge service comes back.
            func start() throws {
                let registration = ProviderRegistration(object: "@OBJECT@", id: "@ID@", name: "@NAME@")
                let link = try ProviderLink(self, registration: registration, on: bus)
                self.link = link
                link.storePicture("draft", Array(Self.pencil.utf8)) { [weak self] in self?.draftStored($0) }
                link.setFolders([FolderOffer(folder: folder, watch: true)])
                link.setFolderStatus(folder, FolderStatus(state: .idle, text: "Up to date"))
                try link.start()
            }

            func stop() { link?.stop() }

            /// A badge of its own, with a picture for which nothing has to be installed.
            private static let draft = Badge("@ID@.draft")
            private static let pencil = """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#865e3c" d="M0 8V6l6-6 2 2-6 6z"/></svg>
                """

            private func draftStored(_ icon: Result<String, DBusError>) {
                switch icon {
                case .success(let icon):
                    link?.setBadgeImages([BadgeImage(badge: Self.draft, label: "Draft", icon: icon)])
                case .failure(let error): complain(error.message)
                }
            }

            private func badge(of item: ItemURI) -> Badge {
                // A provider says nothing of what is not in its folder, whatever it is asked.
                guard item.isWithin(folder) else { return .none }
                var status = stat()
                guard item.filePath.withPlatformString({ lstat($0, &status) }) == 0 else { return .none }
                return item.filePath.extension == "draft" ? Self.draft : .synced
            }

            private func columns(_ directory: ItemURI, _ names: [ItemName]) -> BadgeColumns {
                var columns = BadgeColumns()
                for name in names { columns.append(name, badge(of: directory.appending(name)), [], Progress.none) }
                return columns
            }

            // MARK: What the service calls

            func registrationChanged(_ result: Result<Void, DBusError>?) {
                switch result {
                case .success:
                    // The service watches the folder from its answer on: what is known of it is read then.
                    link?.flush(folder) { _ in }
                case .failure(let error): complain(error.message)
                case nil: break
                }
            }

            func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void) {
                answer(columns(directory, names))
            }

            func requestDirectory(
                _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
            ) {
                let rest = items(of: directory).filter { name in after.map { $0 < name } ?? true }
                let page = Array(rest.prefix(limit))
                answer(columns(directory, page), rest.count > page.count ? page.last : nil)
            }

            func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void) {
                // Whatever changed together in a directory is reported together.
                var changed: [ItemURI: Set<ItemName>] = [:]
                for item in changes.items where item.isWithin(folder) {
                    if let directory = item.parent, let name = item.name { changed[directory, default: []].insert(name) }
                }
                for directory in changes.directories { changed[directory, default: []].formUnion(items(of: directory)) }
                for (directory, names) in changed {
                    link?.updateBadges(in: directory, columns(directory, names.sorted()))
                }
                accepted()
            }

            /// The items in a directory that are the engine's, in the order of their bytes.
            private func items(of directory: ItemURI) -> [ItemName] {
                guard let stream = directory.filePath.withPlatformString({ opendir($0) }) else { return [] }
                defer { closedir(stream) }
                var names: [ItemName] = []
                while let entry = readdir(stream) {
                    let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
                    // The names . and .. are refused here.
                    if let name = try? ItemName(bytes: bytes), directory.appending(name).isWithin(folder) {
                        names.append(name)
                    }
                }
                return names.sorted()
            }
        }

        """#
}
