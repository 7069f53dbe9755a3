import NIOCore
import SyncCore
import SyncEngine

/// The upload of a large file in chunks. If its progress is noted, a later run resumes it.
struct LargeUpload: Sendable {
    /// Where the file is assembled.
    let place: RelativePath
    /// The notes of the upload; nil if there are none.
    let claim: TransferClaim?
    private let chunks: ChunkedUpload
    private let name: EntryName
    private let standing: ChunkedUpload.Standing

    /// Starts an upload that cannot be resumed.
    init(_ chunks: ChunkedUpload, in area: ServerArea) {
        (claim, standing) = (nil, .nothing)
        (self.chunks, place, name) = (chunks, area.newPlace(), ChunkedUpload.newName())
    }

    /// Resumes the upload of a file, or starts one; useless remains of an earlier one are removed.
    ///
    /// - Returns: Nil if nothing can be noted.
    init?(
        _ origin: TransferOrigin, _ claim: TransferClaim, _ chunks: ChunkedUpload, in area: ServerArea
    ) async throws(DAVFailure) {
        self.claim = claim
        let size = origin.version.size
        if let record = claim.record {
            let place = area.place(record.place)
            if record.fits(origin), let name = record.upload, let begun = chunks.goingOn(record.chunkLength, of: size) {
                let standing = try await begun.standing(
                    of: name, chunks: Set(record.chunks.keys), size: size, at: place)
                if standing != .nothing {
                    (self.chunks, self.place, self.name, self.standing) = (begun, place, name, standing)
                    return
                }
            }
            try await area.remove(record, chunks)
            claim.forget()
        }
        self.chunks = chunks
        place = area.newPlace()
        name = ChunkedUpload.newName()
        standing = .nothing
        guard let placeName = place.name else { return nil }
        var record = TransferRecord(origin, at: placeName, upload: name)
        record.chunkLength = chunks.length(of: size)
        guard claim.begin(record) else { return nil }
    }

    /// The length of its chunks.
    func chunkLength(of size: Int64) -> Int64 { min(size, chunks.length(of: size)) }

    /// Sends what is missing, as in ``ChunkedUpload/send(_:size:to:as:_:after:)``.
    func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, size: Int64
    ) async throws(DAVFailure) where Parts.Element == ByteBuffer {
        try await chunks.send(parts, size: size, to: place, as: name, claim, after: standing)
    }

    /// Lets the server assemble what was sent, unless it has done so already.
    ///
    /// - Parameter headers: Additional headers about the file.
    func finish(size: Int64, headers: [(String, String)]) async throws(DAVFailure) {
        if standing == .whole { return }
        try await chunks.putTogether(name, size, at: place, headers: headers)
    }

    /// Removes everything from the server, and forgets the upload; what cannot be removed now is found after a later
    /// run.
    func remove(_ area: ServerArea) async {
        guard let claim else {
            try? await chunks.remove(name)
            return await area.dispose(place)
        }
        guard let record = claim.record, (try? await area.remove(record, chunks)) != nil else { return }
        claim.forget()
    }
}
