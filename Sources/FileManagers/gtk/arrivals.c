#include "arrivals.h"

#include "time-slice.h"

/* Before drawing, so that little is drawn twice; after input. */
#define PRIORITY (G_PRIORITY_HIGH_IDLE + 10)

/* Rows between two looks at the clock. */
#define STRIDE 32

typedef struct {
    Observation *observation;
    BadgeColumns columns; /* of the end: none */
    gsize next_row;
    gboolean is_end;
} Arrival;

struct Arrivals {
    ArrivalsEvents events;
    GQueue queue;
    guint source;
};

static void arrival_free(gpointer pointer)
{
    Arrival *arrival = pointer;
    observation_free(arrival->observation);
    badge_columns_clear(&arrival->columns);
    g_free(arrival);
}

Arrivals *arrivals_new(const ArrivalsEvents *events)
{
    Arrivals *arrivals = g_new0(Arrivals, 1);
    arrivals->events = *events;
    g_queue_init(&arrivals->queue);
    return arrivals;
}

void arrivals_free(Arrivals *arrivals)
{
    if (arrivals->source != 0)
        g_source_remove(arrivals->source);
    g_queue_clear_full(&arrivals->queue, arrival_free);
    g_free(arrivals);
}

/* TRUE when all of it is taken in, or its observation is over. */
static gboolean take_in(Arrivals *arrivals, Arrival *arrival)
{
    Directory *directory = observation_directory(arrival->observation);
    if (directory == NULL)
        return TRUE;
    while (arrival->next_row < arrival->columns.count) {
        if (time_slice_is_over())
            return FALSE;
        gsize end = MIN(arrival->next_row + STRIDE, arrival->columns.count);
        badge_columns_visit(&arrival->columns, arrival->next_row, end, arrivals->events.row, directory);
        arrival->next_row = end;
    }
    if (arrival->is_end)
        arrivals->events.settled(directory);
    return TRUE;
}

/* TRUE when nothing is left. */
static gboolean take_in_slice(Arrivals *arrivals)
{
    Arrival *arrival;
    while ((arrival = g_queue_peek_head(&arrivals->queue)) != NULL) {
        if (!take_in(arrivals, arrival))
            return FALSE;
        arrival_free(g_queue_pop_head(&arrivals->queue));
    }
    return TRUE;
}

static gboolean on_turn(gpointer data)
{
    Arrivals *arrivals = data;
    time_slice_begin();
    if (!take_in_slice(arrivals))
        return G_SOURCE_CONTINUE;
    arrivals->source = 0;
    return G_SOURCE_REMOVE;
}

static void add(Arrivals *arrivals, Arrival arrival)
{
    Arrival *kept = g_new(Arrival, 1);
    *kept = arrival;
    g_queue_push_tail(&arrivals->queue, kept);
    if (arrivals->source == 0 && !take_in_slice(arrivals))
        arrivals->source = g_idle_add_full(PRIORITY, on_turn, arrivals, NULL);
}

void arrivals_add_rows(Arrivals *arrivals, Observation *observation, BadgeColumns columns)
{
    add(arrivals, (Arrival){ .observation = observation, .columns = columns });
}

void arrivals_add_end(Arrivals *arrivals, Observation *observation)
{
    add(arrivals, (Arrival){ .observation = observation, .is_end = TRUE });
}
