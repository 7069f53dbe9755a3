internal import CDBus

/// An incoming call, which must be answered exactly once, immediately or later, on the thread of the connection.
///
/// A call that is released without an answer gets an error as its answer. Answers after the first are ignored.
public final class MethodCall {
    /// The message of the call.
    public let message: Message
    private let connection: Connection
    /// Whether an answer was given.
    public private(set) var isAnswered = false

    init(_ message: Message, on connection: Connection) {
        self.message = message
        self.connection = connection
    }

    deinit {
        guard !isAnswered else { return }
        fail(DBusError(.noReply, "The service did not answer this call."))
    }

    /// The unique name of the caller.
    public var sender: String { message.sender ?? "" }
    /// The object that was called.
    public var path: ObjectPath { message.path ?? .root }
    /// The interface, if the caller named one.
    public var interface: String? { message.interface }
    /// The method.
    public var member: String { message.member ?? "" }
    /// Reads the arguments, whose types are those that the method declares.
    public var reader: MessageReader { message.reader }

    /// Sends a reply with the arguments that `write` writes. If `write` throws, the error is the answer.
    public func reply(_ write: (inout MessageWriter) throws -> Void = { _ in }) {
        guard needsAnswer else { return }
        do {
            answer(try MessageWriter.message(.reply(to: message), write))
        } catch { fail(.from(error)) }
    }

    /// Answers with an error.
    public func fail(_ error: DBusError) {
        guard needsAnswer else { return }
        // D-Bus permits no NUL in a text.
        let sentence = error.message.utf8.contains(0) ? String(error.message.prefix { $0 != "\0" }) : error.message
        do {
            answer(try MessageWriter.message(.refusal(of: message, named: error.name)) { try $0.append(sentence) })
        } catch {
            // Without memory for an answer, the caller has to rely on its own timeout.
            isAnswered = true
        }
    }

    /// Whether an answer is still needed. If the caller wants no reply, the first attempt counts as the answer.
    private var needsAnswer: Bool {
        guard !isAnswered, message.expectsNoReply else { return !isAnswered }
        isAnswered = true
        return false
    }

    private func answer(_ reply: Message) {
        isAnswered = true
        // If the connection is closed, there is no caller any more.
        _ = try? connection.send(reply)
    }
}
