#define _GNU_SOURCE
#include "clinux_program.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where toolkits look for what lets their first window take the focus. */
static const char *const startup_variables[] = { "DESKTOP_STARTUP_ID=", "XDG_ACTIVATION_TOKEN=" };
enum { STARTUP_VARIABLES = sizeof startup_variables / sizeof *startup_variables };

/* What whoever started this program told it alone (systemd.exec(5), dbus-daemon(1)). */
static const char *const own_variables[] = { "INVOCATION_ID=", "JOURNAL_STREAM=", "NOTIFY_SOCKET=", "SYSTEMD_EXEC_PID=",
    "MANAGERPID=", "LISTEN_PID=", "LISTEN_FDS=", "LISTEN_FDNAMES=", "WATCHDOG_PID=", "WATCHDOG_USEC=",
    "MEMORY_PRESSURE_WATCH=", "MEMORY_PRESSURE_WRITE=", "DBUS_STARTER_ADDRESS=", "DBUS_STARTER_BUS_TYPE=" };

static int is_among(const char *variable, const char *const names[], size_t count)
{
    for (size_t at = 0; at < count; at++) {
        if (strncmp(variable, names[at], strlen(names[at])) == 0)
            return 1;
    }
    return 0;
}

/* The environment with the startup id in it; `own` is what to free of it. NULL without memory. */
static char **environment_with(const char *startup, char *own[STARTUP_VARIABLES])
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **variables = calloc(count + STARTUP_VARIABLES + 1, sizeof *variables);
    if (!variables)
        return NULL;
    size_t used = 0;
    for (size_t at = 0; at < STARTUP_VARIABLES && startup && *startup; at++) {
        if (asprintf(&own[at], "%s%s", startup_variables[at], startup) < 0)
            own[at] = NULL;
        if (own[at])
            variables[used++] = own[at];
    }
    for (size_t at = 0; at < count; at++) {
        if (!is_among(environ[at], startup_variables, STARTUP_VARIABLES)
            && !is_among(environ[at], own_variables, sizeof own_variables / sizeof *own_variables))
            variables[used++] = environ[at];
    }
    return variables;
}

/* The file mode mask of the process that started this one, whose own may be narrower; -1 if it is not known. */
static int inherited_mask(void)
{
    char path[64];
    char line[128];
    int mask = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)getppid());
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    while (mask < 0 && fgets(line, sizeof line, file)) {
        if (strncmp(line, "Umask:", 6) == 0)
            mask = (int)strtol(line + 6, NULL, 8) & 0777;
    }
    fclose(file);
    return mask;
}

/* Lets every signal do what it does by default. The system call itself, because the C library keeps two signals from
 * its callers, which may have been inherited as ignored all the same. */
static void reset_signals(void)
{
    /* As the kernel has it: the action, flags, and the rest, all 0. */
    unsigned long ordinary[8] = { 0 };
    const unsigned long set_size = 8;
    for (int number = 1; number <= 64; number++)
        syscall(SYS_rt_sigaction, number, ordinary, NULL, set_size);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* What is started, and how. */
struct program {
    const char *const *words;
    char **variables;
    int mask;     /* -1: the one that this process has */
    int errors;   /* what its standard error is; -1: that of this process */
    pid_t master; /* whose thread it must not outlive; 0: nobody's */
};

/* In the new process, where other threads' locks may be held for ever: system calls only. */
static void become(const struct program *program, int report)
{
    reset_signals();
    if (program->master) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != program->master)
            _exit(126);
    }
    if (program->mask >= 0)
        umask((mode_t)program->mask);
    setsid();
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    if (program->errors >= 0) {
        dup2(nothing, STDOUT_FILENO);
        dup2(program->errors, STDERR_FILENO);
    }
    syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
    execvpe(program->words[0], (char *const *)program->words, program->variables);
    int problem = errno;
    if (write(report, &problem, sizeof problem) < 0)
        _exit(126);
    _exit(127);
}

static int start(const struct program *program, pid_t *child)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    int problem = 0;
    *child = fork();
    if (*child < 0)
        problem = errno;
    if (*child == 0)
        become(program, ends[1]);
    close(ends[1]);
    /* The other end closes when the program runs; before that, it says why it does not. */
    while (*child > 0 && read(ends[0], &problem, sizeof problem) < 0 && errno == EINTR)
        continue;
    close(ends[0]);
    while (*child > 0 && problem && waitpid(*child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return problem;
}

int clinux_start_program(const char *const words[], const char *startup, pid_t *child)
{
    char *own[STARTUP_VARIABLES] = { NULL };
    char **variables = environment_with(startup, own);
    const struct program program = { .words = words, .variables = variables, .mask = inherited_mask(), .errors = -1 };
    int problem = variables ? start(&program, child) : ENOMEM;
    free(variables);
    for (size_t at = 0; at < STARTUP_VARIABLES; at++)
        free(own[at]);
    return problem;
}

int clinux_follow_process(pid_t process)
{
    return (int)syscall(SYS_pidfd_open, process, 0U);
}

bool clinux_await_child(pid_t child, int milliseconds)
{
    struct pollfd end = { .fd = clinux_follow_process(child), .events = POLLIN };
    if (end.fd < 0)
        return errno == ESRCH;
    int count;
    do
        count = poll(&end, 1, milliseconds);
    while (count < 0 && errno == EINTR);
    close(end.fd);
    return count > 0;
}

int clinux_start_helper(const char *const words[], const char *const variables[], int errors, pid_t *child)
{
    const struct program program = {
        .words = words, .variables = (char **)variables, .mask = -1, .errors = errors, .master = getpid()
    };
    return start(&program, child);
}

int clinux_helper_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

int clinux_follow_child(pid_t child)
{
    return clinux_follow_process(child);
}

int clinux_end_of_child(pid_t child)
{
    int status = 0;
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
