#include "gtk-plugin-fakes.h"

/* Items */

typedef struct {
    GObject parent;
    char *uri;
    char *opened;
    guint invalidations;
} FakeItem;

typedef GObjectClass FakeItemClass;

static void fake_item_add_interface(NautilusFileInfoInterface *interface);

G_DEFINE_TYPE_WITH_CODE(
    FakeItem, fake_item, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(NAUTILUS_TYPE_FILE_INFO, fake_item_add_interface))

static char *get_uri(NautilusFileInfo *item)
{
    return g_strdup(((FakeItem *)item)->uri);
}

static char *get_activation_uri(NautilusFileInfo *item)
{
    return g_strdup(((FakeItem *)item)->opened);
}

static void invalidate(NautilusFileInfo *item)
{
    ((FakeItem *)item)->invalidations++;
}

static void fake_item_add_interface(NautilusFileInfoInterface *interface)
{
    interface->get_uri = get_uri;
    interface->get_activation_uri = get_activation_uri;
    interface->invalidate_extension_info = invalidate;
}

static void fake_item_finalize(GObject *object)
{
    g_free(((FakeItem *)object)->uri);
    g_free(((FakeItem *)object)->opened);
    G_OBJECT_CLASS(fake_item_parent_class)->finalize(object);
}

static void fake_item_class_init(FakeItemClass *class)
{
    class->finalize = fake_item_finalize;
}

static void fake_item_init(FakeItem *item)
{
    (void)item;
}

FmFileInfo *fake_item_new(const char *uri)
{
    FakeItem *item = g_object_new(fake_item_get_type(), NULL);
    item->uri = g_strdup(uri);
    return (FmFileInfo *)item;
}

FmFileInfo *fake_virtual_item_new(const char *uri, const char *opened)
{
    FmFileInfo *item = fake_item_new(uri);
    ((FakeItem *)item)->opened = g_strdup(opened);
    return item;
}

guint fake_item_invalidations(FmFileInfo *item)
{
    return ((FakeItem *)item)->invalidations;
}

/* Questions */

typedef GObject FakeProvider;
typedef GObjectClass FakeProviderClass;

static void fake_provider_add_interface(NautilusInfoProviderInterface *interface)
{
    (void)interface;
}

G_DEFINE_TYPE_WITH_CODE(FakeProvider, fake_provider, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE(NAUTILUS_TYPE_INFO_PROVIDER, fake_provider_add_interface))

static void fake_provider_class_init(FakeProviderClass *class)
{
    (void)class;
}

static void fake_provider_init(FakeProvider *provider)
{
    (void)provider;
}

FmInfoProvider *fake_provider_new(void)
{
    return g_object_new(fake_provider_get_type(), NULL);
}

static void on_complete(
    FmInfoProvider *provider, FmOperationHandle *handle, FmOperationResult result, FakeQuestion *question)
{
    g_assert_true(NAUTILUS_IS_INFO_PROVIDER(provider));
    g_assert_cmpint(result, ==, FM_OPERATION_COMPLETE);
    question->answers++;
    question->handle = handle;
}

void fake_question_init(FakeQuestion *question)
{
    *question = (FakeQuestion){ .complete = g_cclosure_new(G_CALLBACK(on_complete), question, NULL) };
    g_closure_set_marshal(question->complete, g_cclosure_marshal_generic);
    g_closure_ref(question->complete);
    g_closure_sink(question->complete);
}

void fake_question_clear(FakeQuestion *question)
{
    g_closure_unref(question->complete);
}
