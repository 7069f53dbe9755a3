/// An interface that a program exports: its methods, properties and signals.
public struct Interface {
    /// A named argument.
    public typealias Argument = (name: String, type: Signature)

    /// The interface's name.
    public let name: String
    /// Its methods.
    public let methods: [Method]
    /// Its properties.
    public let properties: [Property]
    /// Its signals.
    public let signals: [Signal]
    /// What decides whether a call may run; nil if all may.
    private(set) var admission: Admission?

    /// Creates an interface. The names are checked when it is exported.
    public init(
        _ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }

    /// A method.
    public struct Method {
        let name: String
        let input: [Argument]
        let output: [Argument]
        let inputSignature: Signature
        let handler: (MethodCall) throws -> Void

        /// Creates a method that takes exactly the arguments `in`; calls with others are refused before `handler` runs.
        ///
        /// An error thrown by `handler` is the answer to the call.
        public init(
            _ name: String, in input: [Argument] = [], out output: [Argument] = [],
            _ handler: @escaping (MethodCall) throws -> Void
        ) {
            self.name = name
            self.input = input
            self.output = output
            self.inputSignature = Signature(unchecked: input.map(\.type.rawValue).joined())
            self.handler = handler
        }
    }

    /// A property that can be read.
    public struct Property {
        /// What happens when the value changes (annotation `EmitsChangedSignal`).
        public enum Change: String, Sendable {
            /// PropertiesChanged is emitted with the new value.
            case emitsChange = "true"
            /// PropertiesChanged is emitted without it.
            case invalidates
            /// It never changes.
            case const
            /// Nothing is emitted.
            case none = "false"
        }

        let name: String
        let type: Signature
        let change: Change
        let get: (inout MessageWriter) throws -> Void

        /// Creates a property of type `type`; `get` writes one value of that type.
        public init(
            _ name: String, _ type: Signature, _ change: Change = .emitsChange,
            _ get: @escaping (inout MessageWriter) throws -> Void
        ) {
            self.name = name
            self.type = type
            self.change = change
            self.get = get
        }
    }

    /// A signal, declared for introspection.
    public struct Signal {
        let name: String
        let arguments: [Argument]

        /// Creates a signal with these arguments.
        public init(_ name: String, _ arguments: [Argument] = []) {
            self.name = name
            self.arguments = arguments
        }
    }

    /// The same interface, whose methods run only if `admit` allows a call: it calls `proceed`, immediately or later, or
    /// answers the call itself. Arguments of wrong types are refused before. A call whose interface is no longer exported
    /// when `admit` allows it is refused. What was to admit calls before is asked first.
    package func admitting(_ admit: @escaping Admission) -> Interface {
        var guarded = self
        if let first = admission {
            guarded.admission = { call, proceed in first(call) { admit(call, proceed) } }
        } else {
            guarded.admission = admit
        }
        return guarded
    }

    package typealias Admission = (_ call: MethodCall, _ proceed: @escaping () -> Void) -> Void

    /// - Throws: `InvalidArgs` with the name that is malformed or used twice.
    func validate() throws(DBusError) {
        guard NameRules.isInterface(name) else {
            throw .invalidArgs("“\(name)” is not a valid interface name.")
        }
        for members in [methods.map(\.name), properties.map(\.name), signals.map(\.name)] {
            if let wrong = members.first(where: { !NameRules.isMember($0) }) {
                throw .invalidArgs("“\(wrong)” of “\(name)” is not a valid member name.")
            }
            guard Set(members).count == members.count else {
                throw .invalidArgs("“\(name)” has two members of one name.")
            }
        }
        let types =
            methods.flatMap { $0.input + $0.output }.map(\.type) + signals.flatMap { $0.arguments.map(\.type) }
            + properties.map(\.type)
        if let wrong = types.first(where: { !$0.isSingle }) {
            throw .invalidArgs("“\(wrong)” in “\(name)” is not the type of one argument.")
        }
    }
}
