/* Reading what a terminal must not show. */
#ifndef ROUNDEL_CLINUX_TERMINAL_H
#define ROUNDEL_CLINUX_TERMINAL_H

#include <stddef.h>
#include <sys/types.h>

/* Writes the prompt to the standard error and reads one line from a terminal that does not echo meanwhile. A
 * signal that ends or stops the process gives the terminal its settings back first. One call at a time, in the
 * whole process.
 *
 * Gives how many bytes the line has, without its end; -1 with errno otherwise: EMSGSIZE for a line that does not
 * fit. */
ssize_t clinux_read_hidden_line(int terminal, const char *prompt, void *buffer, size_t size);

#endif
