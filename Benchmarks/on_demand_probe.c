/* Opens and reads files as programs do and prints the nanoseconds: what an interpreter adds would hide the difference.
 *   probe open DIRECTORY COUNT   for each open, read of 4 KiB and close of DIRECTORY/0, DIRECTORY/1 and so on
 *   probe read FILE              for each MiB of the file
 *   probe first FILE             until the first byte is there
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 17];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static int opened(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        perror(path);
        exit(1);
    }
    return file;
}

static double open_each(const char *directory, int count)
{
    char path[4096];
    double start = now();
    for (int number = 0; number < count; number++) {
        snprintf(path, sizeof path, "%s/%d", directory, number);
        int file = opened(path);
        if (read(file, buffer, 4096) < 1)
            exit(1);
        close(file);
    }
    return (now() - start) / count;
}

static double read_all(const char *path)
{
    int file = opened(path);
    double start = now(), size = 0;
    for (ssize_t count; (count = read(file, buffer, sizeof buffer)) > 0; size += count) {
    }
    close(file);
    return (now() - start) / (size / (1 << 20));
}

static double first_byte(const char *path)
{
    double start = now();
    int file = opened(path);
    if (read(file, buffer, 1) != 1)
        exit(1);
    double end = now();
    close(file);
    return end - start;
}

int main(int count, char **words)
{
    double value = -1;
    if (count == 4 && !strcmp(words[1], "open"))
        value = open_each(words[2], atoi(words[3]));
    else if (count == 3 && !strcmp(words[1], "read"))
        value = read_all(words[2]);
    else if (count == 3 && !strcmp(words[1], "first"))
        value = first_byte(words[2]);
    else
        return 64;
    printf("%.0f\n", value);
    return 0;
}
