/// Work that comes in many small pieces. A few of them are done in each turn of the loop, in order, so that the rest has its
/// turns in between. To be used on the loop's thread.
package final class PortionedWork<Piece> {
    private let loop: EventLoop
    private let portion: Int
    private let work: (Piece) -> Void
    private var pieces: [Piece] = []
    private var next = 0
    private var isScheduled = false

    /// - Parameters:
    ///   - portion: how many pieces are done without a pause.
    ///   - work: does one.
    package init(_ loop: EventLoop, portion: Int, _ work: @escaping (Piece) -> Void) {
        self.loop = loop
        self.portion = portion
        self.work = work
    }

    /// Adds pieces behind those that wait. Where none waits, the first are done before this returns.
    package func append(contentsOf more: some Sequence<Piece>) {
        pieces += more
        if !isScheduled { proceed() }
    }

    private func proceed() {
        // A piece may bring up others: they wait.
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
