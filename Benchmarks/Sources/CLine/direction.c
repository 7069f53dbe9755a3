/* One direction of a line: what has been taken at one end and has not arrived at the other. */
#include "internal.h"

#include <stdlib.h>
#include <unistd.h>

/* More than any rate, delay and patience that are measured with put on the way at once; further ones are lost. */
#define CAPACITY 16384
/* So many are taken before those that have arrived are looked at again. */
#define BATCH 64

struct packet {
    uint64_t arrival;
    size_t size;
    unsigned char bytes[MTU];
};

struct direction {
    const struct line_shape *shape;
    int from, to;
    uint64_t chance;
    /* When the last packet has wholly left. */
    uint64_t departed;
    /* Numbers of the first packet on the way, and of the next one; the place of each is its remainder. */
    size_t first, next;
    struct packet packets[CAPACITY];
};

struct direction *line_open_direction(const struct line_shape *shape, uint64_t seed, int from, int to)
{
    struct direction *direction = calloc(1, sizeof *direction);
    if (!direction)
        return NULL;
    direction->shape = shape;
    direction->from = from;
    direction->to = to;
    direction->chance = seed;
    return direction;
}

void line_close_direction(struct direction *direction)
{
    free(direction);
}

/* The next random number: Vigna's splitmix64, whose every seed is as good. */
static uint64_t draw(struct direction *direction)
{
    uint64_t number = direction->chance += 0x9e3779b97f4a7c15;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return number ^ (number >> 31);
}

/* Puts the packet that has been read into the next place on the way, or loses it. */
static void send(struct direction *direction, size_t size, uint64_t now)
{
    const struct line_shape *shape = direction->shape;
    struct packet *packet = &direction->packets[direction->next % CAPACITY];
    /* What the kernel sends on its own in version 6 is none of the measurement's, and must not move the chances. */
    if (packet->bytes[0] >> 4 != 4)
        return;
    uint64_t start = direction->departed > now ? direction->departed : now;
    bool is_lost = draw(direction) % 1000000 < shape->loss;
    if (start - now > shape->patience)
        return;
    /* A packet that is lost further on has taken its time at the beginning all the same. */
    direction->departed = start + size * 8 * 1000000000 / shape->rate;
    if (is_lost)
        return;
    packet->arrival = direction->departed + shape->delay;
    packet->size = size;
    direction->next++;
}

void line_take(struct direction *direction)
{
    unsigned char rest[MTU];
    uint64_t now = line_now();
    for (int count = 0; count < BATCH; count++) {
        bool is_full = direction->next - direction->first == CAPACITY;
        unsigned char *place = is_full ? rest : direction->packets[direction->next % CAPACITY].bytes;
        ssize_t size = read(direction->from, place, MTU);
        if (size <= 0)
            return;
        if (!is_full)
            send(direction, (size_t)size, now);
    }
}

uint64_t line_hand_over(struct direction *direction)
{
    uint64_t now = line_now();
    while (direction->first != direction->next) {
        const struct packet *packet = &direction->packets[direction->first % CAPACITY];
        if (packet->arrival > now)
            return packet->arrival;
        /* A device takes a packet or drops it, as any does; it never has the sender wait. */
        ssize_t taken = write(direction->to, packet->bytes, packet->size);
        (void)taken;
        direction->first++;
    }
    return UINT64_MAX;
}
