#ifndef ROUNDEL_FUZZER_H
#define ROUNDEL_FUZZER_H

// The package manager gives each program's `main` the name of the program; libFuzzer's own is not linked then.
int fuzz_readers_main(int count, char **arguments);

#endif
