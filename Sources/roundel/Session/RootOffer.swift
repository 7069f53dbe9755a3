import Setup
import Support

/// Offers the user at a terminal to run a command as root.
enum RootOffer {
    /// Asks whether to run the command now, and runs it.
    /// - Returns: Whether it was run and succeeded; false if the user cannot be asked.
    static func make(_ step: SetupRun.RootStep) -> Bool {
        let console = Console()
        guard Consent.isPossible else { return false }
        let names = step.managers.map(\.name)
        console.print(
            DisplayText.escaped(
                step.isRemoving
                    ? tr(
                        "These have plugins in the system's directories, where only root can take them away: {1}",
                        TextList.of(names))
                    : tr(
                        "These look for plugins in the system's directories only, where only root can put them: {1}",
                        TextList.of(names))))
        console.print("  " + DisplayText.escaped(Administrator.text(step.command)))
        // Translators: y and N stay, for the answer is read as y or yes in every language.
        guard Consent.isGiven(tr("Run it now? [y/N]")) else { return false }
        return ChildProgram.run(step.command) == 0
    }
}
