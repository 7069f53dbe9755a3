package import RoundelBus
internal import Support

/// The files with certificates that a server needs before anything is sent there.
package struct CertificateFiles: Sendable, Equatable {
    /// One of the files.
    package enum Part: Sendable, Equatable, CaseIterable {
        /// With the certificate authority that the server's own certificate is signed by.
        case authority
        /// With the person's certificate.
        case certificate
        /// With the key of that.
        case key
    }

    /// What is missing.
    package enum Lack: Sendable, Equatable, CaseIterable {
        /// This computer does not trust the server's certificate.
        case authority
        /// The server wants a certificate of the person's.
        case certificate
        /// The key of the person's certificate has a passphrase.
        case passphrase
    }

    private var files: [Part: ItemURI] = [:]
    /// What is missing; nil before the server was asked.
    package var lack: Lack?

    package init() {}

    /// The file that the person chose; nil for none.
    package subscript(part: Part) -> ItemURI? {
        get { files[part] }
        set { files[part] = newValue }
    }

    /// Whether a file is asked for, or was chosen before.
    package func isShown(_ part: Part) -> Bool {
        switch (part, lack) {
        case (.authority, .authority?), (.certificate, .certificate?), (.key, .certificate?), (.key, .passphrase?):
            true
        case (.authority, _), (.certificate, _), (.key, _): files[part] != nil
        }
    }

    /// What the person is asked for, in a few words.
    package var title: String {
        switch lack {
        case .authority?: tr("This Computer Does Not Know the Server")
        case .certificate?: tr("The Server Wants Your Certificate")
        case .passphrase?: tr("The Key Has a Passphrase")
        case nil: ""
        }
    }

    /// The file of a part, or what is used without one.
    package func shown(_ part: Part) -> String {
        if let file = files[part] { return file.sentencePath }
        return switch part {
        case .authority, .certificate: tr("Not chosen")
        case .key: tr("In the same file")
        }
    }

    /// The first file that is asked for and was not chosen; nil if none is left.
    package var nextPart: Part? { Part.allCases.first { isShown($0) && files[$0] == nil } }

    /// What the person has to do before it goes on; nil for nothing.
    ///
    /// - Parameter hasPassphrase: Whether a passphrase was typed.
    func missing(hasPassphrase: Bool) -> String? {
        switch lack {
        case .authority? where files[.authority] == nil: tr("Choose the file of the certificate authority.")
        case .certificate? where files[.certificate] == nil: tr("Choose the file of your certificate.")
        case .passphrase? where !hasPassphrase: tr("Type the passphrase of the key.")
        case .authority?, .certificate?, .passphrase?, nil: nil
        }
    }
}
