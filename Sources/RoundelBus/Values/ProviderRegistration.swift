/// The data with which a provider registers.
public struct ProviderRegistration: Equatable, Sendable {
    /// The path of the object that implements `org.roundel.Provider1`.
    public var object: String
    /// The ID, unchecked; the engine checks its form.
    public var id: String
    /// The name shown to the user; if empty, the manifest's, or the ID.
    public var name: String
    /// The name of an icon; if empty, the manifest's.
    public var icon: String
    /// The toolbar button that the provider requests.
    public var toolbarItem: ToolbarItem?
    /// Interface name → path of the object that implements it.
    public var services: [String: String]
    /// The program in a sandbox that registers, as the service knows it; nil for one outside.
    package var program: SandboxedProgram?

    /// Creates the arguments of Register.
    public init(
        object: String, id: String, name: String = "", icon: String = "", toolbarItem: ToolbarItem? = nil,
        services: [String: String] = [:]
    ) {
        self.object = object
        self.id = id
        self.name = name
        self.icon = icon
        self.toolbarItem = toolbarItem
        self.services = services
    }
}
