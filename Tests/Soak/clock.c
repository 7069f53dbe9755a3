/* Loaded into a program before all else (LD_PRELOAD): its calendar is away from the computer's by as many seconds as
 * the file named in SOAK_CLOCK holds, a number of 64 bits that may change at any time. Nobody can set the computer's
 * own clock in a test. Timers of our programs run by the monotonic clock, which never jumps and is left alone; so are
 * the times that the kernel gives to files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *away;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("SOAK_CLOCK");
    const int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    void *place = mmap(NULL, sizeof *away, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (place != MAP_FAILED)
        away = place;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (status == 0 && away != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *away;
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    struct timespec time;
    const int status = clock_gettime(CLOCK_REALTIME, &time);
    if (status == 0)
        *now = (struct timeval){ .tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000 };
    return status;
}

time_t time(time_t *result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL)
        *result = now.tv_sec;
    return now.tv_sec;
}
