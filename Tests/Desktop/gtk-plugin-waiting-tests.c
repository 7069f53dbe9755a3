/* How long the plugin for Nautilus, Nemo and Caja works in one turn of the main loop, and how long a question of the
 * file manager waits. The clock and the timers are the tests' own. */

#include "gtk-plugin-waiting-tests.h"

#include "gio/main-loop.h"
#include "gtk-plugin-fakes.h"
#include "host/arrivals.h"
#include "host/directories.h"
#include "item-objects.h"
#include "pending-updates.h"

#define DIRECTORY "file:///sync"

enum { MILLISECOND = 1000 };

/* The clock */

static gint64 now;
static gint64 step; /* by which each reading moves it on */

static gint64 read_clock(void)
{
    now += step;
    return now;
}

static void set_clock(gint64 microseconds_of_a_step)
{
    now = 1000000;
    step = microseconds_of_a_step;
}

/* Time slices */

/* What a file manager may be held up for without a person noticing. */
enum { FRAME = 16 * MILLISECOND };

static void a_slice_ends(void)
{
    set_clock(MILLISECOND);
    TimeSlice slice = time_slice_new(read_clock);
    gint64 begun = now;
    while (!time_slice_is_over(&slice))
        g_assert_cmpint(now - begun, <, FRAME);
    g_assert_cmpint(now - begun, >, 2 * MILLISECOND);
    g_assert_true(time_slice_is_over(&slice));
}

static void a_pause_begins_another_slice(void)
{
    set_clock(MILLISECOND);
    TimeSlice slice = time_slice_new(read_clock);
    while (!time_slice_is_over(&slice)) {
    }
    now += FRAME;
    g_assert_false(time_slice_is_over(&slice));
    while (!time_slice_is_over(&slice)) {
    }
}

static void a_turn_of_its_own_begins_another_slice(void)
{
    set_clock(MILLISECOND);
    TimeSlice slice = time_slice_new(read_clock);
    while (!time_slice_is_over(&slice)) {
    }
    time_slice_begin(&slice);
    g_assert_false(time_slice_is_over(&slice));
}

/* Questions that wait */

/* The timer that was started last. It fires when the test wants it. */
static struct {
    guint started;
    guint milliseconds;
    GSourceFunc function;
    gpointer data;
} timer;

/* A source that never fires by itself. */
static gboolean never(gpointer data)
{
    (void)data;
    g_assert_not_reached();
}

static guint start_timer(guint milliseconds, GSourceFunc function, gpointer data)
{
    timer.started++;
    timer.milliseconds = milliseconds;
    timer.function = function;
    timer.data = data;
    return g_timeout_add_seconds(G_MAXUINT, never, NULL);
}

typedef struct {
    TimeSlice slice;
    PendingUpdates *updates;
    FmInfoProvider *provider;
    FmFileInfo *item;
    FakeQuestion question;
    PendingUpdate update;
    guint shown;     /* how often the emblems were added */
    guint postponed; /* and how often to a question that nobody had looked at */
} World;

static void on_answer(FmFileInfo *item, gboolean was_postponed, gpointer data)
{
    World *world = data;
    world->postponed += was_postponed ? 1 : 0;
    g_assert_true(item == world->item);
    g_assert_cmpuint(world->question.answers, ==, 0);
    world->shown++;
}

static void begin(World *world, gconstpointer data)
{
    (void)data;
    timer.started = 0;
    set_clock(0);
    world->slice = time_slice_new(read_clock);
    world->updates = pending_updates_new(&world->slice, start_timer, on_answer, world);
    world->provider = fake_provider_new();
    world->item = fake_item_new(DIRECTORY "/a");
    fake_question_init(&world->question);
    world->update = (PendingUpdate){ world->provider, world->item, world->question.complete };
}

static void end(World *world, gconstpointer data)
{
    (void)data;
    pending_updates_free(world->updates);
    fake_question_clear(&world->question);
    g_object_unref(world->item);
    g_object_unref(world->provider);
}

static void run_loop(void)
{
    while (g_main_context_iteration(NULL, FALSE)) {
    }
}

static void assert_answered(const World *world, gpointer handle, guint times)
{
    g_assert_cmpuint(world->question.answers, ==, times);
    g_assert_cmpuint(world->shown, ==, times);
    g_assert_true(times == 0 || world->question.handle == handle);
}

static void a_question_is_answered_when_its_directory_is_known(World *world, gconstpointer data)
{
    (void)data;
    gpointer handle = pending_updates_add(world->updates, &world->update, DIRECTORY);
    g_assert_nonnull(handle);
    pending_updates_answer(world->updates, "file:///elsewhere");
    run_loop();
    assert_answered(world, handle, 0);
    pending_updates_answer(world->updates, DIRECTORY);
    /* Not within the call: the file manager is not prepared for that. */
    assert_answered(world, handle, 0);
    run_loop();
    assert_answered(world, handle, 1);
    pending_updates_answer(world->updates, DIRECTORY);
    run_loop();
    assert_answered(world, handle, 1);
}

static void a_question_waits_a_quarter_of_a_second_at_most(World *world, gconstpointer data)
{
    (void)data;
    gpointer handle = pending_updates_add(world->updates, &world->update, DIRECTORY);
    run_loop();
    assert_answered(world, handle, 0);
    g_assert_cmpuint(timer.started, ==, 1);
    g_assert_cmpuint(timer.milliseconds, <=, 250);
    g_assert_cmpint(timer.function(timer.data), ==, G_SOURCE_REMOVE);
    assert_answered(world, handle, 1);
    g_assert_cmpuint(world->postponed, ==, 0);
}

static void a_question_is_answered_after_the_slice(World *world, gconstpointer data)
{
    (void)data;
    step = MILLISECOND;
    while (!time_slice_is_over(&world->slice)) {
    }
    gpointer handle = pending_updates_postpone(world->updates, &world->update);
    assert_answered(world, handle, 0);
    run_loop();
    assert_answered(world, handle, 1);
    g_assert_cmpuint(world->postponed, ==, 1);
    g_assert_cmpuint(timer.started, ==, 0);
    g_assert_false(time_slice_is_over(&world->slice));
}

static void a_question_that_is_taken_back_is_not_answered(World *world, gconstpointer data)
{
    (void)data;
    gpointer handle = pending_updates_add(world->updates, &world->update, DIRECTORY);
    pending_updates_cancel(world->updates, handle);
    pending_updates_answer(world->updates, DIRECTORY);
    run_loop();
    assert_answered(world, handle, 0);
    gpointer other = pending_updates_add(world->updates, &world->update, DIRECTORY);
    g_assert_true(other != handle);
    pending_updates_answer(world->updates, DIRECTORY);
    pending_updates_cancel(world->updates, handle);
    run_loop();
    assert_answered(world, other, 1);
    pending_updates_cancel(world->updates, other);
}

static void a_question_that_is_open_at_the_end_is_dropped(World *world, gconstpointer data)
{
    (void)data;
    pending_updates_add(world->updates, &world->update, DIRECTORY);
    pending_updates_postpone(world->updates, &world->update);
    pending_updates_free(world->updates);
    world->updates = pending_updates_new(&world->slice, start_timer, on_answer, world);
    run_loop();
    assert_answered(world, NULL, 0);
}

/* Values that arrive */

typedef struct {
    guint rows;
    guint ended;
} Applied;

static void on_row(
    Directory *directory, const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer data)
{
    (void)flags, (void)progress;
    Applied *applied = data;
    g_autofree char *expected = g_strdup_printf("%u", applied->rows);
    g_assert_cmpstr(directory->uri, ==, DIRECTORY);
    g_assert_cmpstr(name, ==, expected);
    g_assert_cmpstr(identifier, ==, "synced");
    g_assert_cmpuint(applied->ended, ==, 0);
    applied->rows++;
}

static void on_ended(Directory *directory, gpointer data)
{
    (void)directory;
    ((Applied *)data)->ended++;
}

enum { ROWS = 10000 };

static GVariant *make_rows(void)
{
    GVariantBuilder names;
    GVariantBuilder badges;
    GVariantBuilder flags;
    GVariantBuilder progress;
    g_variant_builder_init(&names, G_VARIANT_TYPE("as"));
    g_variant_builder_init(&badges, G_VARIANT_TYPE("as"));
    g_variant_builder_init(&flags, G_VARIANT_TYPE("au"));
    g_variant_builder_init(&progress, G_VARIANT_TYPE("ay"));
    for (guint row = 0; row < ROWS; row++) {
        g_autofree char *name = g_strdup_printf("%u", row);
        g_variant_builder_add(&names, "s", name);
        g_variant_builder_add(&badges, "s", "synced");
        g_variant_builder_add(&flags, "u", 0);
        g_variant_builder_add(&progress, "y", PROGRESS_NONE);
    }
    return g_variant_ref_sink(g_variant_new("(asasauay)", &names, &badges, &flags, &progress));
}

/* An observed directory for which ten thousand values have just arrived, in a turn of the main loop that took as long
 * as any may. */
typedef struct {
    Directories *directories;
    Directory *directory;
    TimeSlice slice;
    Arrivals *arrivals;
    Applied applied;
} Flood;

static void begin_flood(Flood *flood, gconstpointer data)
{
    (void)data;
    static const DirectoryEvents directory_events = { &item_objects, NULL, NULL };
    static const ArrivalsEvents events = { on_row, on_ended };
    flood->directories = directories_new(&directory_events);
    flood->directory = directories_ensure(flood->directories, DIRECTORY);
    flood->directory->state = DIRECTORY_OBSERVED;
    set_clock(MILLISECOND);
    flood->slice = time_slice_new(read_clock);
    flood->arrivals = arrivals_new(&main_loop, &flood->slice, &events, &flood->applied);
    g_autoptr(GVariant) tuple = make_rows();
    g_autoptr(GVariant) names = g_variant_get_child_value(tuple, 0);
    gint64 begun = now;
    arrivals_add_rows(flood->arrivals, observation_of(flood->directory), names, tuple, 1);
    arrivals_add_end(flood->arrivals, observation_of(flood->directory));
    g_assert_cmpint(now - begun, <, FRAME);
    g_assert_cmpuint(flood->applied.rows, >, 0);
}

static void end_flood(Flood *flood, gconstpointer data)
{
    (void)data;
    arrivals_free(flood->arrivals);
    directories_free(flood->directories);
}

/* However many arrive at once, no turn takes longer than a slice, and the end comes last. */
static void values_are_applied_in_slices(Flood *flood, gconstpointer data)
{
    (void)data;
    const Applied *applied = &flood->applied;
    while (applied->ended == 0) {
        guint before = applied->rows;
        gint64 begun = now;
        g_assert_true(g_main_context_iteration(NULL, FALSE));
        g_assert_cmpint(now - begun, <, FRAME);
        g_assert_true(applied->rows > before || applied->ended == 1);
    }
    g_assert_cmpuint(applied->rows, ==, ROWS);
    run_loop();
    g_assert_cmpuint(applied->ended, ==, 1);
}

/* What belongs to an observation that is over is dropped, also after some of it was applied. */
static void values_of_a_former_observation_are_dropped(Flood *flood, gconstpointer data)
{
    (void)data;
    guint before = flood->applied.rows;
    flood->directory->generation++;
    run_loop();
    g_assert_cmpuint(flood->applied.rows, ==, before);
    g_assert_cmpuint(flood->applied.ended, ==, 0);
}

static void values_that_are_left_at_the_end_are_dropped(Flood *flood, gconstpointer data)
{
    (void)data;
    g_assert_cmpuint(flood->applied.rows, <, ROWS);
}

static void add(const char *name, void (*test)(World *, gconstpointer))
{
    g_test_add(name, World, NULL, begin, test, end);
}

void add_waiting_tests(void)
{
    g_test_add_func("/slice/ends", a_slice_ends);
    g_test_add_func("/slice/pause", a_pause_begins_another_slice);
    g_test_add_func("/slice/own-turn", a_turn_of_its_own_begins_another_slice);
    add("/question/directory-known", a_question_is_answered_when_its_directory_is_known);
    add("/question/patience", a_question_waits_a_quarter_of_a_second_at_most);
    add("/question/postponed", a_question_is_answered_after_the_slice);
    add("/question/taken-back", a_question_that_is_taken_back_is_not_answered);
    add("/question/dropped", a_question_that_is_open_at_the_end_is_dropped);
    g_test_add("/arrivals/slices", Flood, NULL, begin_flood, values_are_applied_in_slices, end_flood);
    g_test_add("/arrivals/former", Flood, NULL, begin_flood, values_of_a_former_observation_are_dropped, end_flood);
    g_test_add("/arrivals/left", Flood, NULL, begin_flood, values_that_are_left_at_the_end_are_dropped, end_flood);
}
