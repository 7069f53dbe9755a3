// FileWatch
