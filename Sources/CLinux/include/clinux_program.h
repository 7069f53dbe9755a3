/* Starting programs. */
#ifndef CLINUX_PROGRAM_H
#define CLINUX_PROGRAM_H

/* Starts a program, found along PATH, that nobody waits for. `words` are its name and its arguments, ended by NULL;
   `startup` is what lets its window take the focus, or "". Gives 0, or the error number if it could not be started. */
int clinux_start_program(const char *const words[], const char *startup);

#endif
