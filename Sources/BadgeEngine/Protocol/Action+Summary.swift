internal import RoundelBus
internal import Support

extension Action {
    /// A one-line description for the debug log.
    package var summary: String {
        switch self {
        case .reply(let token, let reply): "reply \(token.rawValue): \(reply.summary)"
        case .fail(let token, let refusal): "refuse \(token.rawValue): \(refusal)"
        case .signalBadges(let client, let directory, let columns):
            "notify \(client) of \(columns.count) badges in \(directory)"
        case .signalMenu(let client, let menu): "notify \(client) of \(menu.summary)"
        case .signalActionFinished(let client, let end):
            "notify \(client) that \(end.item) is \(end.outcome)"
        case .showReport(let report):
            "show the \(report.hasFailed ? "failure" : "answer") of \(report.label) of \(report.provider)"
        case .signalReset(let client): "reset \(client)"
        case .notify(let provider, let notice): "notify \(provider.connection): \(notice)"
        case .ask(let token, let provider, let request):
            "ask \(provider.connection), question \(token.rawValue): \(request.summary)"
        case .watchDirectory(let directory): "watch directory \(directory)"
        case .unwatchDirectory(let directory): "end watching directory \(directory)"
        case .followLink(let link): "follow link \(link.link) to \(link.target)"
        case .unfollowLink(let link): "end following link \(link)"
        case .setWatchedFolders(let folders): "watch \(folders.count) folders"
        case .reportWhenWatched(let folder): "report \(folder) once it is watched"
        case .checkFolders(let token, let folders): "check \(folders.count) folders of call \(token.rawValue)"
        case .flushWatcher(let token, let folder): "flush \(folder) for call \(token.rawValue)"
        case .inspectItems(let token, let items): "inspect \(items.count) items, question \(token.rawValue)"
        case .findTypes(let token, let items): "find the types of \(items.count) items, question \(token.rawValue)"
        case .findPlaces(let token, let directories):
            "find \(directories.count) directories, question \(token.rawValue)"
        case .propertiesChanged(let properties): "announce properties \(properties.rawValue)"
        case .providersChanged: "announce providers"
        case .persist: "save"
        case .activateProvider(let id, let busName): "start \(id) as \(busName)"
        case .providerSettled(let id): "forget the back-off of \(id)"
        case .storePicture(let token, let picture): "store \(picture.file) for call \(token.rawValue)"
        case .removePictures(let icons): "remove \(icons.count) pictures"
        case .openSettings(_, let id): "show the settings of \(id)"
        case .showWindow(let request): "show \(request.view.rawValue) of \(request.subject) in the window"
        case .setTimer(let time): time.map { "wake up at \($0.nanoseconds) ns" } ?? "no wake-up"
        case .warn(let text): "warn: \(text)"
        }
    }
}

extension Reply {
    fileprivate var summary: String {
        switch self {
        case .done: "done"
        case .monitored(let flag): "monitored \(flag)"
        case .badges(let columns): "\(columns.count) badges"
        case .directory(let columns, let next): "\(columns.count) items\(next == nil ? "" : ", more to come")"
        case .menu(let menu): menu.summary
        case .attributes(let attributes): "\(attributes.count) attributes"
        case .service(let busName, let object, provider: _, name: _): "\(busName) \(object)"
        case .observed(let flag): "observed \(flag)"
        case .providers(let providers): "\(providers.count) providers"
        case .icon(let icon): "icon \(icon)"
        case .registered(let waiting): "\(waiting.count) folders wait for consent"
        }
    }
}

extension HostedMenu {
    fileprivate var summary: String {
        "menu \(id) with \(items.count) items" + (incomplete.isEmpty ? "" : ", \(incomplete.count) providers to come")
    }
}

extension ProviderRequest {
    fileprivate var summary: String {
        switch self {
        case .requestBadges(let directory, let names): "badges of \(names.count) names in \(directory)"
        case .requestDirectory(let directory, let after, _):
            "items of \(directory)\(after.map { " after \($0)" } ?? "")"
        case .getMenu(let kind, _, let selection): "menu of kind \(kind) for \(selection.count) items"
        case .activate(let item, _, let selection, _): "do \(item) with \(selection.count) items"
        case .getAttributes(let item, _): "attributes of \(item)"
        case .itemsChanged(let changes):
            "changed in \(changes.folder): \(changes.items.count) items, \(changes.directories.count) directories"
                + (changes.overflow ? ", or anything" : "")
        }
    }
}
