public import DBus

/// NetworkManager as far as it says whether the connection is metered, on a bus of a test's own.
public final class StandInNetworkManager {
    /// A number of `NMMetered`.
    public enum Metered: UInt32, CaseIterable, Sendable {
        case unknown = 0
        case yes = 1
        case no = 2
        case guessYes = 3
        case guessNo = 4
    }

    private static let name = "org.freedesktop.NetworkManager"
    private static let path: ObjectPath = "/org/freedesktop/NetworkManager"

    private let bus: Connection
    private var metered: Metered
    /// How often somebody asked.
    public private(set) var questions = 0

    /// Exports it; its name is not owned yet.
    ///
    /// - Parameters:
    ///   - bus: Of its own.
    ///   - emits: Whether it tells the new value with a change, or only that there is one.
    public init(on bus: Connection, _ metered: Metered, emits: Bool = true) throws {
        self.bus = bus
        self.metered = metered
        let property = Interface.Property("Metered", "u", emits ? .emitsChange : .invalidates) {
            [unowned self] writer in
            questions += 1
            try writer.append(self.metered.rawValue)
        }
        _ = try bus.export(Interface(Self.name, properties: [property]), at: Self.path)
    }

    /// Comes to the bus.
    public func begin() { bus.requestName(Self.name) { _ in } }

    /// Leaves the bus.
    public func end() { bus.releaseName(Self.name) }

    /// Says something else from now on.
    public func set(_ metered: Metered) throws {
        self.metered = metered
        try bus.emitPropertiesChanged(["Metered"], of: Self.name, at: Self.path)
    }
}
