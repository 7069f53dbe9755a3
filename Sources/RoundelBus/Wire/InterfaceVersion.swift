package import DBus

extension Interface.Property {
    /// `Version`, which every interface has.
    package static var version: Interface.Property {
        Interface.Property("Version", "u", .const) { try $0.append(interfaceVersion) }
    }
}
