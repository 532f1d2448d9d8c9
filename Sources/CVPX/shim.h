// libvpx (https://www.webmproject.org): decodes VP8 and VP9, the codecs of WebM files.
//
// Wrappers for macros, which Swift does not import, and frame buffers with a limit: the library allocates and decodes what a
// frame states as its size, in VP9 also between two key frames, whatever size the file states. VP9Block.swift checks the sizes of
// all VP9 frames before they are decoded; the limit remains in case it reads a header differently from the library.
#ifndef STORECTL_CVPX_H
#define STORECTL_CVPX_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>

enum { CVPX_BUFFERS = VP9_MAXIMUM_REF_BUFFERS + VPX_MAXIMUM_WORK_BUFFERS };

typedef struct {
    vpx_codec_ctx_t context;
    vpx_codec_iface_t *codec;
    unsigned int width, height;
    // The maximum size of a frame buffer in bytes.
    size_t limit;
    vpx_codec_frame_buffer_t buffers[CVPX_BUFFERS];
    int isInUse[CVPX_BUFFERS];
} CVPXDecoder;

static inline int cvpx_lend_buffer(void *owner, size_t size, vpx_codec_frame_buffer_t *buffer) {
    CVPXDecoder *decoder = (CVPXDecoder *)owner;
    if (size > decoder->limit) return -1;
    for (int i = 0; i < CVPX_BUFFERS; i++) {
        if (decoder->isInUse[i]) continue;
        if (decoder->buffers[i].size < size) {
            free(decoder->buffers[i].data);
            decoder->buffers[i].size = 0;
            // The library requires zeros.
            decoder->buffers[i].data = (uint8_t *)calloc(1, size);
            if (decoder->buffers[i].data == NULL) return -1;
            decoder->buffers[i].size = size;
        }
        decoder->isInUse[i] = 1;
        *buffer = decoder->buffers[i];
        buffer->priv = &decoder->isInUse[i];
        return 0;
    }
    return -1;
}

static inline int cvpx_take_back_buffer(void *owner, vpx_codec_frame_buffer_t *buffer) {
    (void)owner;
    if (buffer->priv != NULL) *(int *)buffer->priv = 0;
    return 0;
}

static inline void cvpx_release(CVPXDecoder *decoder) {
    vpx_codec_destroy(&decoder->context);
    for (int i = 0; i < CVPX_BUFFERS; i++) free(decoder->buffers[i].data);
    free(decoder);
}

// Creates a decoder, which starts no thread, of frames of one size; NULL if there is no memory.
static inline CVPXDecoder *cvpx_create(int isVP9, unsigned int width, unsigned int height) {
    CVPXDecoder *decoder = (CVPXDecoder *)calloc(1, sizeof *decoder);
    vpx_codec_dec_cfg_t settings = {.threads = 1, .w = width, .h = height};
    if (decoder == NULL) return NULL;
    decoder->codec = isVP9 ? vpx_codec_vp9_dx() : vpx_codec_vp8_dx();
    decoder->width = width;
    decoder->height = height;
    // Three planes of two bytes per sample, with a margin of at most 160 samples on each side, and some bytes to align them.
    decoder->limit = (size_t)(width + 2 * 160 + 64) * (height + 2 * 160 + 64) * 6;
    if (vpx_codec_dec_init(&decoder->context, decoder->codec, &settings, 0) != VPX_CODEC_OK) {
        free(decoder);
        return NULL;
    }
    // The size of a VP8 video changes at key frames only, which are examined before they are decoded.
    if (isVP9 && vpx_codec_set_frame_buffer_functions(&decoder->context, cvpx_lend_buffer, cvpx_take_back_buffer,
                                                      decoder) != VPX_CODEC_OK) {
        cvpx_release(decoder);
        return NULL;
    }
    return decoder;
}

typedef enum { CVPX_DECODED, CVPX_DAMAGED, CVPX_OTHER_SIZE } CVPXResult;

// Decodes a frame. The picture is NULL if the frame is not shown; the decoder keeps it until the next frame.
static inline CVPXResult cvpx_decode(CVPXDecoder *decoder, const uint8_t *bytes, unsigned int size,
                                     const vpx_image_t **picture) {
    vpx_codec_stream_info_t stated = {.sz = sizeof stated};
    vpx_codec_iter_t position = NULL;
    *picture = NULL;
    // Fails for frames between key frames, which state no size in VP8.
    vpx_codec_peek_stream_info(decoder->codec, bytes, size, &stated);
    if (stated.is_kf && (stated.w != decoder->width || stated.h != decoder->height)) return CVPX_OTHER_SIZE;
    if (vpx_codec_decode(&decoder->context, bytes, size, NULL, 0) != VPX_CODEC_OK) return CVPX_DAMAGED;
    *picture = vpx_codec_get_frame(&decoder->context, &position);
    if (*picture == NULL) return CVPX_DECODED;
    return (*picture)->d_w == decoder->width && (*picture)->d_h == decoder->height ? CVPX_DECODED : CVPX_OTHER_SIZE;
}

// A row of a plane: brightness, the two colour differences.
static inline const uint8_t *cvpx_row(const vpx_image_t *picture, int plane, int row) {
    return picture->planes[plane] + (ptrdiff_t)picture->stride[plane] * row;
}

#endif
