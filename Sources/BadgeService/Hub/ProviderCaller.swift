internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Calls providers and passes on their answers.
final class ProviderCaller {
    private let bus: Connection
    private let isAwaited: (RequestToken) -> Bool
    private let onAnswer: (RequestToken, ProviderAnswer) -> Void
    private var questions = QuestionLedger()

    /// - Parameters:
    ///   - isAwaited: Whether the answer to a question still matters.
    ///   - onAnswer: Called with the answer to each question.
    init(
        bus: Connection, isAwaited: @escaping (RequestToken) -> Bool,
        onAnswer: @escaping (RequestToken, ProviderAnswer) -> Void
    ) {
        self.bus = bus
        self.isAwaited = isAwaited
        self.onAnswer = onAnswer
    }

    /// Calls a provider without expecting a reply.
    func notify(_ provider: ProviderEndpoint, _ notice: ProviderNotice) {
        let (method, directory) =
            switch notice {
            case .beginObserving(let directory): ("BeginObserving", directory)
            case .endObserving(let directory): ("EndObserving", directory)
            }
        do {
            try bus.callNoReply(provider.connection, try ObjectPath(provider.object), Names.provider, method) {
                try $0.append(directory)
                try $0.appendNoExtras()
            }
        } catch {
            logUnsent("\(method) could not be sent to \(provider.connection)", error)
        }
    }

    /// Calls a provider and passes on its answer, without limiting the time; waits if the provider has too many
    /// open questions.
    func ask(_ question: ProviderQuestion) {
        switch questions.admit(question, isWanted: isAwaited) {
        case .send: send(question)
        case .wait: break
        case .refuse:
            let sentence = tr(
                QuestionLedger.window, one: "It has not answered {1} earlier question.",
                other: "It has not answered {1} earlier questions.")
            onAnswer(question.token, .failed(name: StandardError.limitsExceeded.rawValue, message: sentence))
        }
    }

    private func send(_ question: ProviderQuestion) {
        guard let object = try? ObjectPath(question.provider.object) else {
            return finish(question, .gone)
        }
        bus.call(
            question.provider.connection, object, Names.provider, question.request.method, timeout: nil,
            { try question.request.write(&$0) }
        ) { [unowned self] result in finish(question, question.request.answer(from: result)) }
    }

    private func finish(_ question: ProviderQuestion, _ answer: ProviderAnswer) {
        let next = questions.answered(question, isWanted: isAwaited)
        if let next { send(next) }
        onAnswer(question.token, answer)
    }
}

extension ProviderRequest {
    fileprivate var method: String {
        switch self {
        case .requestBadges: "RequestBadges"
        case .requestDirectory: "RequestDirectory"
        case .getMenu: "GetMenu"
        case .activate: "Activate"
        case .getAttributes: "GetAttributes"
        case .itemsChanged: "ItemsChanged"
        }
    }

    fileprivate func write(_ writer: inout MessageWriter) throws {
        var options: VariantMap = [:]
        switch self {
        case .requestBadges(let directory, let names):
            try writer.append(directory)
            try writer.append(names: names)
        case .requestDirectory(let directory, let after, let limit):
            try writer.append(directory)
            try writer.append(after?.encoded ?? "")
            try writer.append(limit)
        case .getMenu(let kind, let target, let selection):
            try writer.append(kind.rawValue)
            try writer.append(target?.uri ?? "")
            try writer.append(uris: selection)
        case .activate(let item, let target, let selection, let activation):
            try writer.append(item)
            try writer.append(target?.uri ?? "")
            try writer.append(uris: selection)
            options = activation.wire
        case .getAttributes(let item, let keys):
            try writer.append(item)
            try writer.append(strings: keys)
        case .itemsChanged(let changes):
            try writer.append(changes.folder)
            try writer.append(uris: changes.directories)
            try writer.append(uris: changes.items)
            try writer.append(changes.overflow)
        }
        try writer.append(map: options)
    }

    /// Converts a provider's reply.
    fileprivate func answer(from result: Result<Message, DBusError>) -> ProviderAnswer {
        switch result {
        case .success(let reply):
            var reader = reply.reader
            return (try? answer(from: &reader)) ?? .malformed
        case .failure(let error):
            let isGone: [StandardError] = [.serviceUnknown, .nameHasNoOwner, .noReply, .disconnected]
            if let standard = error.standard, isGone.contains(standard) { return .gone }
            return .failed(name: error.name, message: error.message)
        }
    }

    /// - Throws: Any error that makes the answer malformed.
    fileprivate func answer(from reader: inout MessageReader) throws -> ProviderAnswer {
        switch self {
        case .requestBadges: return .badges(try reader.readValueColumns())
        case .requestDirectory:
            return .directory(try reader.readColumns(), next: try reader.readOptionalItemName())
        case .getMenu:
            var budget = ValueBudget.menu
            let items = try reader.readArray { try $0.readOptions(within: &budget) }
            return .menu(try items.map { map throws(DBusError) in try MenuItem(wire: map) })
        case .getAttributes:
            let map = try reader.readOptions()
            return .attributes(map.compactMapValues { AttributeValue(wire: $0) })
        case .activate:
            // A provider need not give extras.
            guard reader.signature == "a{sv}" else { return .done }
            let product = try ActionProduct.read(from: try reader.readOptions())
            return product.map { .product($0) } ?? .done
        case .itemsChanged: return .done
        }
    }
}
