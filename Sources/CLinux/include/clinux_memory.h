/* What a program has mapped. */
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/* Lets go of the program's own code and constants, which are read from its file again where they are used. */
void clinux_release_program(void);

#endif
