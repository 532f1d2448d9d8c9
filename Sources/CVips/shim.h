// libvips (https://www.libvips.org): decodes, scales and encodes images.
//
// Typed wrappers, because Swift can't call functions with a variable number of arguments, of which the library's interface
// consists. They keep the library's types to themselves, so that Swift does not import GLib.
#ifndef STORECTL_CVIPS_H
#define STORECTL_CVIPS_H

#include <stddef.h>
#include <string.h>
#include <vips/vips.h>
// Needs the types of the header before.
#include <vips/vector.h>

// Drops a message of the libraries: to find out where it goes takes system calls that a confined process may not make.
static inline GLogWriterOutput cvips_drop_message(GLogLevelFlags level, const GLogField *fields, gsize count,
                                                  gpointer data) {
    (void)level, (void)fields, (void)count, (void)data;
    return G_LOG_WRITER_HANDLED;
}

// Loads and initialises the library for a process that will confine itself; no thread is started.
//
// Only the decoders of PNG, JPEG, WebP and GIF remain; the others, also those that the library trusts, are blocked.
// Code is not generated while the program runs, because a confined process has no executable memory, and results are not
// kept, because a process makes one picture.
static inline int cvips_start(const char *name) {
    g_log_set_writer_func(cvips_drop_message, NULL, NULL);
    if (vips_init(name) != 0) return -1;
    static const char *const decoders[] = {"VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp",
                                           "VipsForeignLoadNsgif"};
    vips_block_untrusted_set(TRUE);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++) vips_operation_block_set(decoders[i], FALSE);
    vips_vector_set_enabled(FALSE);
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    return 0;
}

// The text of the last errors, which the next call of the function empties.
static inline void cvips_take_error(char *text, size_t size) {
    strncpy(text, vips_error_buffer(), size - 1);
    text[size - 1] = 0;
    vips_error_clear();
}

// Removes what an image says besides its pixels and the times of its frames, such as where a photo was taken. The encoders'
// option `strip` keeps some of that.
static inline void cvips_remove_metadata(VipsImage *image) {
    static const char *const kept[] = {VIPS_META_PAGE_HEIGHT, VIPS_META_N_PAGES, "delay", "loop", NULL};
    char **names = vips_image_get_fields(image);
    for (char **name = names; name != NULL && *name != NULL; name++)
        if (!g_strv_contains(kept, *name)) vips_image_remove(image, *name);
    g_strfreev(names);
}

// Decodes an image and scales it down to a square; never up. Where a number of frames is stated, so many are decoded, else
// the first. The library would read the bytes later, when the picture is encoded; the copy in memory ends that.
//
// An image with a colour profile is converted to sRGB. One without has these colours already: asked to convert it, too, the
// library would take them for those of another white point, and make blue violet.
static inline VipsImage *cvips_thumbnail(const void *bytes, size_t size, int pixels, int frames) {
    char options[32] = "";
    VipsImage *image = NULL, *copy = NULL;
    if (frames > 1) g_snprintf(options, sizeof options, "[n=%d]", frames);
    VipsImage *original = vips_image_new_from_buffer(bytes, size, options, NULL);
    if (original == NULL) return NULL;
    const char *profile = vips_image_get_typeof(original, VIPS_META_ICC_NAME) != 0 ? "srgb" : NULL;
    g_object_unref(original);
    if (vips_thumbnail_buffer((void *)bytes, size, &image, pixels, "height", pixels, "size", VIPS_SIZE_DOWN,
                              "option_string", options, "fail_on", VIPS_FAIL_ON_TRUNCATED,
                              profile != NULL ? "export_profile" : NULL, profile, NULL) != 0)
        return NULL;
    copy = vips_image_copy_memory(image);
    g_object_unref(image);
    if (copy != NULL) cvips_remove_metadata(copy);
    return copy;
}

// Sets the times for which the frames of an image, a column of them, are shown.
static inline void cvips_set_frames(VipsImage *image, const int *milliseconds, int frames) {
    if (frames < 2) return;
    vips_image_set_int(image, VIPS_META_PAGE_HEIGHT, vips_image_get_height(image) / frames);
    vips_image_set_int(image, "loop", 0);
    vips_image_set_array_int(image, "delay", milliseconds, frames);
}

// An image of pixels in memory, which are copied: red, green, blue and opacity. Several frames are a column; each is shown
// for a number of milliseconds.
static inline VipsImage *cvips_image(const void *colours, int width, int height, int frames, int delay) {
    VipsImage *plain = vips_image_new_from_memory_copy(colours, (size_t)width * height * frames * 4, width,
                                                       height * frames, 4, VIPS_FORMAT_UCHAR);
    VipsImage *image = NULL;
    if (plain == NULL) return NULL;
    int failed = vips_copy(plain, &image, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
    g_object_unref(plain);
    if (failed) return NULL;
    int *delays = g_new(int, frames);
    for (int i = 0; i < frames; i++) delays[i] = delay;
    cvips_set_frames(image, delays, frames);
    g_free(delays);
    return image;
}

// Scales an image down to a square; never up. Without the copy in memory, it would be done when the picture is encoded, and
// the larger image remain until then.
static inline VipsImage *cvips_small(VipsImage *image, int pixels) {
    VipsImage *scaled = NULL, *copy = NULL;
    if (vips_thumbnail_image(image, &scaled, pixels, "height", pixels, "size", VIPS_SIZE_DOWN, NULL) != 0) return NULL;
    copy = vips_image_copy_memory(scaled);
    g_object_unref(scaled);
    return copy;
}

// Joins images of the same size as the frames of one, each shown for a number of milliseconds.
static inline VipsImage *cvips_join(VipsImage **images, const int *milliseconds, int count) {
    VipsImage *joined = NULL, *copy = NULL;
    if (vips_arrayjoin(images, &joined, count, "across", 1, NULL) != 0) return NULL;
    copy = vips_image_copy_memory(joined);
    g_object_unref(joined);
    if (copy != NULL) cvips_set_frames(copy, milliseconds, count);
    return copy;
}

static inline void cvips_release(VipsImage *image) { g_object_unref(image); }

// The width and height of an image, where an image of several frames is a column of them.
static inline int cvips_width(VipsImage *image) { return vips_image_get_width(image); }
static inline int cvips_height(VipsImage *image) { return vips_image_get_height(image); }

// Encodes an image as a WebP without what the original says besides its pixels; animated, if it has several frames.
static inline void *cvips_webp(VipsImage *image, int quality, int effort, size_t *size) {
    void *bytes = NULL;
    if (vips_webpsave_buffer(image, &bytes, size, "Q", quality, "effort", effort, "strip", TRUE, NULL) != 0)
        return NULL;
    return bytes;
}

// Encodes an image as a PNG without what the original says besides its pixels.
static inline void *cvips_png(VipsImage *image, size_t *size) {
    void *bytes = NULL;
    if (vips_pngsave_buffer(image, &bytes, size, "strip", TRUE, NULL) != 0) return NULL;
    return bytes;
}

static inline void cvips_free(void *bytes) { g_free(bytes); }

// A square with an image in its middle on a transparent ground; the image must not be larger.
static inline VipsImage *cvips_cell(VipsImage *image, int pixels) {
    VipsImage *colours = NULL, *opaque = NULL, *cell = NULL;
    int failed = vips_colourspace(image, &colours, VIPS_INTERPRETATION_sRGB, NULL);
    if (failed) return NULL;
    if (vips_image_hasalpha(colours)) {
        opaque = colours;
    } else {
        failed = vips_addalpha(colours, &opaque, NULL);
        g_object_unref(colours);
        if (failed) return NULL;
    }
    failed = vips_gravity(opaque, &cell, VIPS_COMPASS_DIRECTION_CENTRE, pixels, pixels, "extend", VIPS_EXTEND_BLACK,
                          NULL);
    g_object_unref(opaque);
    return failed ? NULL : cell;
}

// A transparent square with a grey frame, in the place of an image that there is none of.
static inline VipsImage *cvips_empty_cell(int pixels) {
    VipsImage *black = NULL, *colours = NULL, *cell = NULL;
    double colour[] = {128, 128, 128, 255};
    if (vips_black(&black, pixels, pixels, "bands", 4, NULL) != 0) return NULL;
    int failed = vips_copy(black, &colours, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
    g_object_unref(black);
    if (failed) return NULL;
    // Only an image in memory can be drawn on.
    cell = vips_image_copy_memory(colours);
    g_object_unref(colours);
    if (cell == NULL) return NULL;
    if (vips_draw_rect(cell, colour, 4, pixels / 4, pixels / 4, pixels / 2, pixels / 2, "fill", FALSE, NULL) != 0) {
        g_object_unref(cell);
        return NULL;
    }
    return cell;
}

// A grid of squares with a margin around each, on a ground of one colour.
static inline VipsImage *cvips_grid(VipsImage **cells, int count, int columns, int margin, double ground) {
    VipsImage *joined = NULL, *framed = NULL, *flat = NULL;
    if (vips_arrayjoin(cells, &joined, count, "across", columns, "shim", margin, NULL) != 0) return NULL;
    int failed = vips_embed(joined, &framed, margin, margin, joined->Xsize + 2 * margin, joined->Ysize + 2 * margin,
                            "extend", VIPS_EXTEND_BLACK, NULL);
    g_object_unref(joined);
    if (failed) return NULL;
    VipsArrayDouble *colour = vips_array_double_newv(3, ground, ground, ground);
    failed = vips_flatten(framed, &flat, "background", colour, NULL);
    vips_area_unref(VIPS_AREA(colour));
    g_object_unref(framed);
    return failed ? NULL : flat;
}

#endif
