/// The introspection format of the D-Bus specification, generated from the exported interfaces.
enum IntrospectionXML {
    private static let head = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>

        """

    static func document(_ interfaces: [Interface], children: [String]) -> String {
        head + interfaces.map(element).joined()
            + children.map { "  <node name=\"\(escaped($0))\"/>\n" }.joined() + "</node>\n"
    }

    private static func element(_ interface: Interface) -> String {
        "  <interface name=\"\(escaped(interface.name))\">\n"
            + interface.methods.map(method).joined() + interface.properties.map(property).joined()
            + interface.signals.map(signal).joined() + "  </interface>\n"
    }

    private static func method(_ method: Interface.Method) -> String {
        member("method", method.name, arguments(method.input, "in") + arguments(method.output, "out"))
    }

    private static func signal(_ signal: Interface.Signal) -> String {
        member("signal", signal.name, arguments(signal.arguments, nil))
    }

    private static func property(_ property: Interface.Property) -> String {
        let head = "    <property name=\"\(escaped(property.name))\" type=\"\(property.type)\" access=\"read\""
        guard property.change != .emitsChange else { return head + "/>\n" }
        let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
        return head
            + ">\n      <annotation name=\"\(annotation)\" value=\"\(property.change.rawValue)\"/>\n    </property>\n"
    }

    private static func member(_ kind: String, _ name: String, _ content: String) -> String {
        let head = "    <\(kind) name=\"\(escaped(name))\""
        return content.isEmpty ? head + "/>\n" : head + ">\n" + content + "    </\(kind)>\n"
    }

    private static func arguments(_ arguments: [Interface.Argument], _ direction: String?) -> String {
        let suffix = direction.map { " direction=\"\($0)\"" } ?? ""
        return arguments.map { "      <arg name=\"\(escaped($0.name))\" type=\"\($0.type)\"\(suffix)/>\n" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
