internal import BadgeEngine
internal import DBus
internal import RoundelBus

extension MethodCall {
    /// Sends the engine's reply.
    func answer(_ answer: Reply) {
        reply { writer in
            switch answer {
            case .done: break
            case .registered(let waiting):
                return try writer.append(map: ["waiting": .strings(waiting.map(\.uri))])
            case .icon(let icon): try writer.append(icon)
            case .monitored(let flag), .observed(let flag): try writer.append(flag)
            case .badges(let columns): try writer.append(values: columns)
            case .directory(let columns, let next):
                try writer.append(columns: columns)
                try writer.append(next?.encoded ?? "")
            case .menu(let menu): return try menu.append(to: &writer)
            case .attributes(let attributes): try writer.append(map: attributes.mapValues(\.wire))
            case .service(let busName, let object, let provider, let name):
                try writer.append(busName)
                try writer.append(try ObjectPath(object))
                return try writer.append(map: ["provider": .string(provider.rawValue), "name": .string(name)])
            case .providers(let providers): try writer.append(value: .maps(providers.map(\.wire)))
            }
            try writer.appendNoExtras()
        }
    }
}
