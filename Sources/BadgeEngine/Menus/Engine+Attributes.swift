internal import RoundelBus

/// Attributes of items and the services of their providers.
extension Engine {
    mutating func getAttributes(_ call: HostCall, _ uri: ItemURI, _ keys: [String]) {
        guard let (provider, spelling, _) = owned(uri) else { return reply(call.token, .attributes([:])) }
        guard let endpoint = providers.activeEndpoint(provider) else { return failGone(call.token, provider) }
        let token = answers.makeToken()
        let purpose = PendingRequest.Purpose.attributes(call.token, keys: keys)
        answers.add(token, PendingRequest(provider: provider, purpose: purpose))
        deadlines.add(now + Limits.attributePatience, .attributes(token))
        act(.ask(token, endpoint, .getAttributes(spelling, keys: keys)))
    }

    mutating func takeAttributes(
        _ answer: ProviderAnswer, _ provider: ProviderID, _ token: CallToken, keys: [String]
    ) {
        switch answer {
        case .attributes(let values):
            let wanted = Set(keys)
            let kept = values.filter { key, value in
                value.fits(key) && (wanted.isEmpty || wanted.contains(key))
            }
            reply(token, .attributes(kept))
        case .gone: failGone(token, provider)
        case .failed(_, let message):
            fail(token, .providerFailed, message.isEmpty ? "The provider \(provider) failed." : message)
        case .badges, .directory, .menu, .done, .malformed:
            fail(token, .providerFailed, "The provider \(provider) gave an answer of the wrong type.")
        }
    }

    mutating func attributesOverdue(_ token: RequestToken) {
        guard let request = answers.take(token), case .attributes(let call, _) = request.purpose else { return }
        let seconds = Limits.attributePatience / 1_000_000_000
        fail(call, .providerTimeout, "The provider \(request.provider) did not answer within \(seconds) seconds.")
    }

    mutating func getItemService(_ call: HostCall, _ uri: ItemURI, _ interface: String) {
        guard let (provider, _, _) = owned(uri), let endpoint = providers.activeEndpoint(provider),
            let object = providers[provider]?.registration?.services[interface]
        else {
            let name = String(interface.prefix(255))
            return fail(call.token, .noSuchService, "No provider of \(uri.uri) offers the service \(name).")
        }
        reply(call.token, .service(busName: endpoint.connection, object: object))
    }
}
