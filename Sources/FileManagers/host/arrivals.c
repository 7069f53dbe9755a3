#include "arrivals.h"

/* Rows between two readings of the clock. */
#define STRIDE 32

typedef struct {
    Observation observation;
    BadgeColumns columns; /* none for the end */
    gsize next_row;
    gboolean is_end;
} Arrival;

struct Arrivals {
    const HostLoop *loop;
    TimeSlice *slice;
    ArrivalsEvents events;
    gpointer data;
    GQueue queue;
    guint source;
};

static void arrival_free(gpointer pointer)
{
    Arrival *arrival = pointer;
    observation_clear(&arrival->observation);
    badge_columns_clear(&arrival->columns);
    g_free(arrival);
}

Arrivals *arrivals_new(const HostLoop *loop, TimeSlice *slice, const ArrivalsEvents *events, gpointer data)
{
    Arrivals *arrivals = g_new0(Arrivals, 1);
    arrivals->loop = loop;
    arrivals->slice = slice;
    arrivals->events = *events;
    arrivals->data = data;
    g_queue_init(&arrivals->queue);
    return arrivals;
}

void arrivals_free(Arrivals *arrivals)
{
    host_loop_clear(arrivals->loop, &arrivals->source);
    g_queue_clear_full(&arrivals->queue, arrival_free);
    g_free(arrivals);
}

/* Where the rows that are being visited belong. */
typedef struct {
    const Arrivals *arrivals;
    Directory *directory;
} Place;

static void report_row(const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer data)
{
    const Place *place = data;
    place->arrivals->events.row(place->directory, name, identifier, flags, progress, place->arrivals->data);
}

/* TRUE when all of it is applied, or its observation is over. */
static gboolean apply(Arrivals *arrivals, Arrival *arrival)
{
    Place place = { arrivals, observation_directory(&arrival->observation) };
    if (place.directory == NULL)
        return TRUE;
    while (arrival->next_row < arrival->columns.count) {
        if (time_slice_is_over(arrivals->slice))
            return FALSE;
        gsize end = MIN(arrival->next_row + STRIDE, arrival->columns.count);
        badge_columns_visit(&arrival->columns, arrival->next_row, end, report_row, &place);
        arrival->next_row = end;
    }
    if (arrival->is_end)
        arrivals->events.ended(place.directory, arrivals->data);
    return TRUE;
}

/* TRUE when nothing is left. */
static gboolean apply_slice(Arrivals *arrivals)
{
    Arrival *arrival;
    while ((arrival = g_queue_peek_head(&arrivals->queue)) != NULL) {
        if (!apply(arrivals, arrival))
            return FALSE;
        arrival_free(g_queue_pop_head(&arrivals->queue));
    }
    return TRUE;
}

static gboolean on_turn(gpointer data)
{
    Arrivals *arrivals = data;
    time_slice_begin(arrivals->slice);
    if (!apply_slice(arrivals))
        return G_SOURCE_CONTINUE;
    arrivals->source = 0;
    return G_SOURCE_REMOVE;
}

static void add(Arrivals *arrivals, Arrival arrival)
{
    Arrival *kept = g_new(Arrival, 1);
    *kept = arrival;
    g_queue_push_tail(&arrivals->queue, kept);
    /* The rest before drawing, so that little is drawn twice. */
    if (arrivals->source == 0 && !apply_slice(arrivals))
        arrivals->source = host_loop_before_drawing(arrivals->loop, on_turn, arrivals);
}

void arrivals_add_rows(Arrivals *arrivals, Observation observation, GVariant *names, GVariant *tuple, gsize first_value)
{
    BadgeColumns columns;
    if (badge_columns_init(&columns, names, tuple, first_value))
        add(arrivals, (Arrival){ .observation = observation, .columns = columns });
    else
        observation_clear(&observation);
}

void arrivals_add_end(Arrivals *arrivals, Observation observation)
{
    add(arrivals, (Arrival){ .observation = observation, .is_end = TRUE });
}
