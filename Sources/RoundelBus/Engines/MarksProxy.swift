package import DBus
internal import Support

/// What a script says of a folder, to the engine that keeps it: `org.roundel.Marks1`.
package struct MarksProxy: Sendable {
    /// The id of the engine's manifest.
    package static let provider = "marks"
    package static let busName = "org.roundel.Marks1"
    package static let path: ObjectPath = "/org/roundel/Marks1"
    package static let interface = "org.roundel.Marks1"

    /// What is said.
    package struct Statement: Equatable, Sendable {
        /// A common badge.
        package var state: Badge
        /// In percent, or 255 for none.
        package var progress: UInt8 = Progress.none
        /// A sentence for the user; may be empty.
        package var message = ""
        /// When the run began of which this is said: microseconds since 1970 by the clock of the kernel's file times.
        package var started: Int64?
        /// Whether the run ends with the caller, so that it has failed if the caller vanishes.
        package var isOwned = false

        package init(_ state: Badge) { self.state = state }

        /// The statement as the options of a call.
        package var options: VariantMap {
            var map: VariantMap = [:]
            if progress != Progress.none { map["progress"] = .byte(progress) }
            if !message.isEmpty { map["message"] = .string(message) }
            map["started"] = started.map { .int64($0) }
            if isOwned { map["owned"] = .bool(true) }
            return map
        }

        /// Reads the arguments of a call; nil for a state that is not a common badge, or a progress above 100.
        package init?(state: String, options: VariantMap) {
            guard Badge.common.contains(Badge(state)) else { return nil }
            self.init(Badge(state))
            progress = options["progress"]?.byte ?? Progress.none
            guard Progress.isValid(progress) else { return nil }
            message = options.string("message")?.shortened(to: Limits.noticeText) ?? ""
            started = options["started"]?.int64
            isOwned = options.bool("owned") ?? false
        }
    }

    private let bus: AsyncConnection

    /// Creates a proxy for the engine on this bus.
    package init(bus: AsyncConnection) { self.bus = bus }

    /// Says something of a folder, which becomes one of the engine's.
    package func mark(_ folder: ItemURI, _ statement: Statement) async throws {
        _ = try await bus.call(
            Self.busName, Self.path, Self.interface, "Mark",
            [.string(folder.uri), .string(statement.state.identifier), .map(statement.options)],
            timeout: Patience.Worker.reply)
    }
}
