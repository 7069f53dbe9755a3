internal import RoundelBus
internal import Support

/// Attributes of items and the services of their providers.
extension Engine {
    mutating func getAttributes(_ call: HostCall, _ uri: ItemURI, _ keys: [String]) {
        guard let (provider, spelling) = owned(place(ofItem: uri, for: call.caller)) else {
            return reply(call.token, .attributes([:]))
        }
        guard let endpoint = providers.activeEndpoint(provider) else { return failGone(call.token, provider) }
        let request = ProviderRequest.getAttributes(spelling, keys: keys)
        let token = out.ask(provider, at: endpoint, request, for: .attributes(call.token, keys: keys))
        out.deadlines.add(now + Limits.attributePatience, .attributes(token))
    }

    mutating func applyAttributes(
        _ answer: ProviderAnswer, _ provider: ProviderID, _ token: CallToken, keys: [String]
    ) {
        switch answer {
        case .attributes(let values):
            let wanted = Set(keys)
            let kept = values.filter { key, value in
                value.fits(key) && (wanted.isEmpty || wanted.contains(key))
            }
            guard kept.values.reduce(0, { $0 + $1.size }) <= Limits.attributeText else {
                return fail(token, .wrongAnswer(provider))
            }
            reply(token, .attributes(kept))
        case .gone: failGone(token, provider)
        // A provider need not have attributes.
        case .failed(let name, _) where Self.namesOfMissing.contains(name): reply(token, .attributes([:]))
        case .failed(_, let message):
            fail(token, message.isEmpty ? .failed(provider) : .said(message.shortened(to: Limits.errorText)))
        case .badges, .directory, .menu, .done, .product, .malformed:
            fail(token, .wrongAnswer(provider))
        }
    }

    /// The errors of a provider that has no such method.
    private static let namesOfMissing: Set<String> = [
        "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.NotSupported",
    ]

    mutating func attributesOverdue(_ token: RequestToken) {
        guard let request = out.answers.remove(token), case .attributes(let call, _) = request.purpose else { return }
        fail(call, .providerLate(request.provider))
    }

    mutating func getItemService(_ call: HostCall, _ uri: ItemURI, _ interface: String) {
        // A folder that waits for consent shows nothing, but its provider syncs it and can be asked about it.
        guard let folder = folderTable.any(containing: place(ofItem: uri, for: call.caller)),
            let record = providers[folder.provider], let busName = record.busName,
            let object = record.services[interface]
        else {
            return fail(call.token, .noSuchService(uri, interface: String(interface.prefix(255))))
        }
        reply(
            call.token,
            .service(busName: busName, object: object, provider: folder.provider, name: record.name))
    }
}

extension AttributeValue {
    /// The number of bytes in its texts.
    fileprivate var size: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .strings(let texts): texts.reduce(0) { $0 + $1.utf8.count + 8 }
        case .byte, .unsigned, .signed, .truth: 0
        }
    }
}
