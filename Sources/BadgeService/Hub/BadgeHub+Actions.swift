internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

extension BadgeHub {
    func perform(_ action: Action) {
        switch action {
        case .reply(let token, let reply): answer(token, reply)
        case .fail(let token, let refusal): calls.remove(token)?.fail(refusal.error(\.shownPlace))
        case .signalBadges(let client, let directory, let columns): signal(columns, of: directory, to: client)
        case .signalActionFinished(let client, let menu, let item, let outcome, let message):
            signal(FinishedAction(menu: menu, item: item, outcome: outcome, message: message), to: client)
        case .showFailure(let failure): for host in localHosts.values { host.onFailure?(failure) }
        case .signalReset(let client): emit("Reset", to: client) { _ in }
        case .tell(let provider, let notice): tell(provider, notice)
        case .ask(let token, let provider, let request):
            ask(ProviderQuestion(token: token, provider: provider, request: request))
        case .watchDirectory(let directory): watching?.observe(directory)
        case .unwatchDirectory(let directory): watching?.unobserve(directory)
        case .setWatchedFolders(let folders): watching?.setFolders(folders)
        case .reportWhenWatched(let folder): watching?.report(folder)
        case .checkFolders(let token, let folders): watching?.check(folders, for: token)
        case .flushWatcher(let token, let folder): watching?.flush(folder, for: token)
        case .inspectItems(let token, let items): watching?.inspect(items, for: token)
        case .propertiesChanged(let properties): announce(properties)
        case .providersChanged: emitProvidersChanged()
        case .persist: save()
        case .activateProvider(let id, let busName): activation?.start(id, busName: busName)
        case .providerSettled(let id): activation?.settle(id)
        case .openSettings(let token, let id): openSettings(of: id, for: token)
        case .setTimer(let deadline): setTimer(deadline)
        case .warn(let text): log(.warning, text)
        }
    }

    private func answer(_ token: CallToken, _ reply: Reply) {
        calls.remove(token)?.answer(reply)
        switch reply {
        case .badges(let columns), .directory(let columns, next: _): if columns.count >= Self.manyRows { onRareWork?() }
        case .done, .monitored, .menu, .attributes, .service, .observed, .providers: break
        }
    }

    /// An answer of so many rows is longer than most directories.
    private static let manyRows = 1000

    private func emit(_ signal: String, to client: String, _ write: (inout MessageWriter) throws -> Void) {
        do {
            try bus.emit(Names.servicePath, Names.host, signal, to: client) { writer in
                try write(&writer)
                try writer.appendNoExtras()
            }
        } catch {
            log(.warning, "\(signal) could not be sent to \(client): \(error)")
        }
    }

    private func signal(_ action: FinishedAction, to client: String) {
        if let host = localHosts[client] { return host.finished(action) }
        emit("ActionFinished", to: client) { writer in
            try writer.append(action.menu)
            try writer.append(action.item)
            try writer.append(action.outcome.rawValue)
            try writer.append(action.message)
        }
    }

    private func signal(_ columns: BadgeColumns, of directory: ItemURI, to client: String) {
        // A row costs its two strings with their length and padding, a flag and a byte of progress.
        let size = columns.names.reduce(128) { $0 + $1.encoded.utf8.count + 24 }
        let advice = receivers.willSend(size, to: client)
        switch advice {
        case .drop: return
        case .fellBehind:
            log(.warning, "\(client) does not read its signals; its observations are ended.")
            feed(.receiverFellBehind(client))
            return
        case .send, .sendAndPing: break
        }
        emit("BadgesChanged", to: client) { writer in
            try writer.append(directory)
            try writer.append(columns: columns)
        }
        if advice == .sendAndPing { ping(client) }
    }

    private func ping(_ client: String) {
        bus.ping(client, timeout: nil) { [unowned self] _ in
            if receivers.answered(client) { ping(client) }
        }
    }

    private func emitProvidersChanged() {
        do {
            try bus.emit(Names.servicePath, Names.providers, "Changed") { try $0.appendNoExtras() }
        } catch {
            log(.warning, "A change of the providers could not be told: \(error)")
        }
    }

    /// Opens a provider's settings by the D-Bus activation of the Desktop Entry Specification.
    private func openSettings(of id: ProviderID, for token: CallToken) {
        guard let call = calls.remove(token) else { return }
        guard openingSettings.insert(id).inserted else {
            return call.fail(
                RoundelError(.limitExceeded, Texts.settingsAskedFor(id)))
        }
        guard let busName = manifests?.busName(of: id),
            let path = try? ObjectPath("/" + busName.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined())
        else {
            openingSettings.remove(id)
            return call.fail(RoundelError(.providerFailed, Texts.noSettings(id)))
        }
        bus.call(
            busName, path, "org.freedesktop.Application", "ActivateAction",
            { writer in
                try writer.append("settings")
                try writer.append(value: .array(element: "v", []))
                try writer.append(map: [:])
            }
        ) { [unowned self] result in
            openingSettings.remove(id)
            switch result {
            case .success: call.answer(.done)
            case .failure(let error):
                call.fail(
                    RoundelError(.providerFailed, Texts.noSettings(id, reason: error.message)))
            }
        }
    }
}

extension MethodCall {
    /// Sends the engine's reply.
    func answer(_ answer: Reply) {
        reply { writer in
            switch answer {
            case .done: break
            case .monitored(let flag), .observed(let flag): try writer.append(flag)
            case .badges(let columns): try writer.append(values: columns)
            case .directory(let columns, let next):
                try writer.append(columns: columns)
                try writer.append(next?.encoded ?? "")
            case .menu(let id, let items):
                try writer.append(id)
                try writer.append(value: .maps(items.map(\.wire)))
            case .attributes(let attributes): try writer.append(map: attributes.mapValues(\.wire))
            case .service(let busName, let object):
                try writer.append(busName)
                try writer.append(try ObjectPath(object))
            case .providers(let providers): try writer.append(value: .maps(providers.map(\.wire)))
            }
            try writer.appendNoExtras()
        }
    }
}
