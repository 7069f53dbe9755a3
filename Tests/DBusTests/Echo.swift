import DBus

extension Connection {
    /// Exports a method `Echo` at `/echo` that answers with its arguments, whatever their types are, by rewriting
    /// each value.
    func exportEcho(_ signature: [Signature]) throws -> Registration {
        let arguments = signature.enumerated().map { (name: "a\($0.offset)", type: $0.element) }
        return try export(
            Interface(
                "org.example.Echo",
                methods: [
                    .init("Echo", in: arguments, out: arguments) { call in
                        let values = try call.message.arguments()
                        call.reply { writer in for value in values { try writer.append(value: value) } }
                    }
                ]), at: "/echo")
    }
}
