internal import CExpat

/// What Syncthing's `config.xml` says of its REST interface and its folders. The folders are read here only for the time
/// in which Syncthing does not run.
struct SettingsText: Equatable, Sendable {
    /// A folder as it is written.
    struct Folder: Equatable, Sendable {
        var id: String
        var label: String
        var path: String
        var type: String
        var isPaused = false
        var devices: [PeerID] = []
    }

    var hasInterface = false
    var usesTLS = false
    var address = ""
    /// The password of the interface: it goes into requests, and nowhere else.
    var key = ""
    var folders: [Folder] = []

    /// Reads the file; nil if it is not what Syncthing writes.
    init?(_ bytes: [UInt8]) {
        guard let reader = SettingsReader() else { return nil }
        guard let text = reader.read(bytes) else { return nil }
        self = text
    }

    fileprivate init() {}
}

extension SettingsText: CustomStringConvertible {
    /// Without the key, so that no log has it.
    var description: String { "\(address), \(folders.count) folders" }
}

/// Reads `config.xml` with expat.
private final class SettingsReader {
    private let parser: XML_Parser
    private var text = SettingsText()
    private var path: [String] = []
    private var characters: [UInt8] = []

    init?() {
        guard let parser = XML_ParserCreate("UTF-8") else { return nil }
        self.parser = parser
        // The pointer is used only during calls of `read`.
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let data, let name else { return }
                var values: [String: String] = [:]
                var next = attributes
                while let key = next?[0], let value = next?[1] {
                    values[String(cString: key)] = String(cString: value)
                    next = next?.advanced(by: 2)
                }
                Unmanaged<SettingsReader>.fromOpaque(data).takeUnretainedValue().begin(String(cString: name), values)
            },
            { data, _ in
                guard let data else { return }
                Unmanaged<SettingsReader>.fromOpaque(data).takeUnretainedValue().end()
            })
        XML_SetCharacterDataHandler(parser) { data, text, length in
            guard let data, let text, length > 0 else { return }
            let reader = Unmanaged<SettingsReader>.fromOpaque(data).takeUnretainedValue()
            reader.characters += UnsafeBufferPointer(start: text, count: Int(length)).map { UInt8(bitPattern: $0) }
        }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            guard let data else { return }
            XML_StopParser(Unmanaged<SettingsReader>.fromOpaque(data).takeUnretainedValue().parser, XML_FALSE)
        }
    }

    deinit { XML_ParserFree(parser) }

    func read(_ bytes: [UInt8]) -> SettingsText? {
        let status = bytes.withUnsafeBytes { bytes in
            XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), 1)
        }
        return status == XML_STATUS_OK && rootName == "configuration" ? text : nil
    }

    private var rootName = ""

    private func begin(_ name: String, _ values: [String: String]) {
        if path.isEmpty { rootName = name }
        path.append(name)
        characters = []
        switch path.dropFirst() {
        case ["gui"]:
            text.hasInterface = values["enabled"] != "false"
            text.usesTLS = values["tls"] == "true"
        case ["folder"]:
            text.folders.append(
                SettingsText.Folder(
                    id: values["id"] ?? "", label: values["label"] ?? "", path: values["path"] ?? "",
                    type: values["type"] ?? ""))
        case ["folder", "device"]: text.folders[text.folders.count - 1].devices.append(values["id"] ?? "")
        default: break
        }
    }

    private func end() {
        let value = String(decoding: characters, as: UTF8.self)
        switch path.dropFirst() {
        case ["gui", "address"]: text.address = value
        case ["gui", "apikey"]: text.key = value
        case ["folder", "paused"]: text.folders[text.folders.count - 1].isPaused = value == "true"
        default: break
        }
        path.removeLast()
        characters = []
    }
}
