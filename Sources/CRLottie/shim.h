// rlottie (https://github.com/Samsung/rlottie): draws Lottie documents, the vector animations in TGS files.
//
// Typed wrappers, because the library reports no error and takes texts that end with a zero.
#ifndef STORECTL_CRLOTTIE_H
#define STORECTL_CRLOTTIE_H

#include <rlottie_capi.h>
#include <stddef.h>
#include <stdint.h>

// Reads a Lottie document, a text that ends with a zero; NULL if it is none. Files that it refers to are not looked for.
static inline Lottie_Animation *crlottie_read(const char *document) {
    return lottie_animation_from_data(document, "", "");
}

static inline void crlottie_release(Lottie_Animation *animation) { lottie_animation_destroy(animation); }

static inline size_t crlottie_frames(const Lottie_Animation *animation) {
    return lottie_animation_get_totalframe(animation);
}

// Draws a frame into an image of 32 bits per pixel: 0xAARRGGBB, where the colours are multiplied by the opacity.
static inline void crlottie_draw(Lottie_Animation *animation, size_t frame, uint32_t *pixels, size_t width,
                                 size_t height) {
    lottie_animation_render(animation, frame, pixels, width, height, 4 * width);
}

#endif
