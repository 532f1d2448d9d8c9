// HarfBuzz (https://harfbuzz.github.io): which glyph a sequence of characters is, and the image that a font stores for it.
//
// Typed wrappers, because Swift sees neither the library's macros nor its enumerations as it sees ordinary types.
#ifndef STORECTL_CHARFBUZZ_H
#define STORECTL_CHARFBUZZ_H

#include <hb-ot.h>
#include <hb.h>
#include <stddef.h>
#include <stdint.h>

// Returns the glyph that a font draws for a sequence of characters.
//
// The result is 0, the glyph for missing characters, if the font draws several glyphs, or none: an image of one emoji
// is one glyph. Glyphs that take no space and have no image, as for variation selectors, don't count.
static inline uint32_t charfbuzz_glyph(hb_font_t *font, hb_buffer_t *buffer, const uint32_t *characters, int count) {
    hb_buffer_clear_contents(buffer);
    hb_buffer_add_utf32(buffer, characters, count, 0, count);
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
    hb_buffer_guess_segment_properties(buffer);
    hb_buffer_set_flags(buffer, HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES);
    hb_shape(font, buffer, NULL, 0);
    unsigned int length = 0;
    const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(buffer, &length);
    return length == 1 ? glyphs[0].codepoint : 0;
}

// Returns the SVG document that has a glyph's image, or the empty blob.
static inline hb_blob_t *charfbuzz_svg(hb_face_t *face, uint32_t glyph) {
    return hb_ot_color_glyph_reference_svg(face, glyph);
}

// Returns the PNG of a glyph, of the largest size that the font has (tables CBDT and sbix), or the empty blob.
static inline hb_blob_t *charfbuzz_png(hb_font_t *font, uint32_t glyph) {
    return hb_ot_color_glyph_reference_png(font, glyph);
}

static inline int charfbuzz_has_images(hb_face_t *face) {
    return hb_ot_color_has_png(face) || hb_ot_color_has_svg(face);
}

#endif
