/// Work in many small pieces. A few of them run, in order, in each turn of the loop, so that other work gets its turn
/// in between. Must be used on the loop's thread.
package final class PortionedWork<Piece> {
    private let loop: EventLoop
    private let portion: Int
    private let work: (Piece) -> Void
    private var pieces: [Piece] = []
    private var next = 0
    private var isScheduled = false

    /// - Parameters:
    ///   - portion: How many pieces run without a pause.
    ///   - work: Does one piece.
    package init(_ loop: EventLoop, portion: Int, _ work: @escaping (Piece) -> Void) {
        self.loop = loop
        self.portion = portion
        self.work = work
    }

    /// Appends pieces to the waiting ones. If none are waiting, the first pieces run before this returns.
    package func append(contentsOf more: some Sequence<Piece>) {
        pieces += more
        if !isScheduled { proceed() }
    }

    private func proceed() {
        // A piece may add others, which then wait.
        isScheduled = true
        var count = 0
        while count < portion, next < pieces.count {
            let piece = pieces[next]
            next += 1
            count += 1
            work(piece)
        }
        guard next < pieces.count else {
            pieces = []
            next = 0
            isScheduled = false
            return
        }
        loop.atEndOfTurn { [weak self] in self?.proceed() }
    }
}
