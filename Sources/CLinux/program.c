#define _GNU_SOURCE
#include "clinux_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where toolkits look for what lets their first window take the focus. */
static const char *const startup_variables[] = { "DESKTOP_STARTUP_ID=", "XDG_ACTIVATION_TOKEN=" };
enum { STARTUP_VARIABLES = sizeof startup_variables / sizeof *startup_variables };

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
    for (size_t at = 0; at < STARTUP_VARIABLES; at++) {
        if (asprintf(&own[at], "%s%s", startup_variables[at], startup ? startup : "") < 0)
            own[at] = NULL;
        if (own[at])
            variables[used++] = own[at];
    }
    for (size_t at = 0; at < count; at++) {
        int is_own = 0;
        for (size_t name = 0; name < STARTUP_VARIABLES; name++)
            is_own |= strncmp(environ[at], startup_variables[name], strlen(startup_variables[name])) == 0;
        if (!is_own)
            variables[used++] = environ[at];
    }
    return variables;
}

/* In the new process, where other threads' locks may be held for ever: system calls only. */
static void become(const char *const words[], char *variables[], int report)
{
    /* A program that reads its signals from a descriptor blocks them; what it starts shall not. */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    execvpe(words[0], (char *const *)words, variables);
    int problem = errno;
    if (write(report, &problem, sizeof problem) < 0)
        _exit(126);
    _exit(127);
}

/* Starts the program as the child of a child, which ends at once, so that it becomes init's. */
static int start(const char *const words[], char *variables[])
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    int problem = 0;
    pid_t child = fork();
    if (child < 0)
        problem = errno;
    if (child == 0) {
        pid_t program = fork();
        if (program == 0)
            become(words, variables, ends[1]);
        problem = program < 0 ? errno : 0;
        if (problem && write(ends[1], &problem, sizeof problem) < 0)
            _exit(126);
        _exit(0);
    }
    close(ends[1]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    /* The other end closes when the program runs; before that, it says why it does not. */
    ssize_t got = -1;
    while (child > 0 && (got = read(ends[0], &problem, sizeof problem)) < 0 && errno == EINTR)
        continue;
    close(ends[0]);
    return problem;
}

int clinux_start_program(const char *const words[], const char *startup)
{
    char *own[STARTUP_VARIABLES] = { NULL };
    char **variables = environment_with(startup, own);
    int problem = variables ? start(words, variables) : ENOMEM;
    free(variables);
    for (size_t at = 0; at < STARTUP_VARIABLES; at++)
        free(own[at]);
    return problem;
}
