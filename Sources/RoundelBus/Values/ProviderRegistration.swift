/// What a provider says when it registers.
public struct ProviderRegistration: Equatable, Sendable {
    /// The path of the object that implements `org.roundel.Provider1`.
    public var object: String
    /// As given; the engine checks its form.
    public var id: String
    /// Shown to people; the manifest's, or the id, where empty.
    public var name: String
    /// The name of an icon; the manifest's where empty.
    public var icon: String
    /// The toolbar button that it wishes for.
    public var toolbarItem: ToolbarItem?
    /// Interface name → path of the object that offers it.
    public var services: [String: String]

    /// The arguments of Register.
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
