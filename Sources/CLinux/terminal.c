#include "clinux_terminal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* For the handlers. Written before they are installed. */
static struct {
    int terminal;
    const char *prompt;
    struct termios shown;
    struct termios hidden;
} reading;

/* What was typed so far is discarded: whoever reads the terminal next would get a part of a password. */
static void show(void)
{
    while (tcsetattr(reading.terminal, TCSAFLUSH, &reading.shown) != 0 && errno == EINTR) {
    }
}

static int hide(void)
{
    int result;
    do {
        result = tcsetattr(reading.terminal, TCSAFLUSH, &reading.hidden);
    } while (result != 0 && errno == EINTR);
    return result;
}

static void say(const char *text)
{
    /* A prompt that cannot be shown is nothing that could be told otherwise. */
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* The signal has its ordinary effect when the handler returns. */
static void end(int number)
{
    int before = errno;
    show();
    raise(number);
    errno = before;
}

static void stop(int number)
{
    (void)number;
    int before = errno;
    show();
    raise(SIGSTOP);
    if (hide() == 0) {
        say(reading.prompt);
    }
    errno = before;
}

static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP };
enum { signal_count = sizeof signals / sizeof *signals };

static void install(struct sigaction before[signal_count])
{
    for (int index = 0; index < signal_count; index++) {
        int number = signals[index];
        struct sigaction action = { .sa_handler = number == SIGTSTP ? stop : end };
        action.sa_flags = number == SIGTSTP ? SA_RESTART : SA_RESTART | SA_RESETHAND;
        sigfillset(&action.sa_mask);
        /* The continued process must be able to wait for its turn at the terminal. */
        sigdelset(&action.sa_mask, SIGTTOU);
        sigaction(number, NULL, &before[index]);
        /* nohup(1) and its like. */
        if (before[index].sa_handler != SIG_IGN) {
            sigaction(number, &action, NULL);
        }
    }
}

static void uninstall(const struct sigaction before[signal_count])
{
    for (int index = 0; index < signal_count; index++) {
        sigaction(signals[index], &before[index], NULL);
    }
}

static ssize_t read_line(int terminal, char *buffer, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ssize_t count = read(terminal, buffer + length, size - length);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return -1;
        }
        char *newline = memchr(buffer + length, '\n', (size_t)count);
        if (newline != NULL) {
            return newline - buffer;
        }
        if (count == 0) {
            return (ssize_t)length;
        }
        length += (size_t)count;
    }
    errno = EMSGSIZE;
    return -1;
}

ssize_t clinux_read_hidden_line(int terminal, const char *prompt, void *buffer, size_t size)
{
    reading.terminal = terminal;
    reading.prompt = prompt;
    if (tcgetattr(terminal, &reading.shown) != 0) {
        return -1;
    }
    reading.hidden = reading.shown;
    reading.hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
    reading.hidden.c_lflag |= ICANON | ISIG;

    struct sigaction before[signal_count];
    install(before);
    ssize_t length = -1;
    int error = 0;
    if (hide() == 0) {
        say(prompt);
        length = read_line(terminal, buffer, size);
        error = errno;
        show();
        say("\n");
    } else {
        error = errno;
    }
    uninstall(before);
    errno = error;
    return length;
}
