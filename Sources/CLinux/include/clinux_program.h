/* Starting programs. */
#ifndef CLINUX_PROGRAM_H
#define CLINUX_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts a program, found along PATH, in a state as its own session would have given it: signals as usual, no
   descriptors but the standard ones, a session of its own, the mask of the process that started this one. `words` are
   its name and its arguments, ended by NULL; `startup` is what lets its window take the focus, or "". Gives 0 and the
   child, which the caller waits for; or the error number if it could not be started. */
int clinux_start_program(const char *const words[], const char *startup, pid_t *child);

/* Starts a program of our own that does not outlive the calling thread, which is to live as long as it should: then it
   is sent SIGTERM. `variables` are all of its environment, ended by NULL; its errors go to `errors`, what it prints
   nowhere. The rest as above, with the mask of this process. */
int clinux_start_helper(const char *const words[], const char *const variables[], int errors, pid_t *child);

/* A pipe for its errors, which no other program gets. */
int clinux_helper_pipe(int ends[2]);

/* A descriptor that becomes readable when a child ends, or -1. */
int clinux_follow_child(pid_t child);

/* The same for any process. */
int clinux_follow_process(pid_t process);

/* Takes the end of a child in; gives its exit status, 128 and the signal for one that was killed, -1 if it still runs.
 */
int clinux_end_of_child(pid_t child);

/* Waits for the end of a child for so many milliseconds at most; gives whether it has ended, which is not taken in. */
bool clinux_await_child(pid_t child, int milliseconds);

#endif
