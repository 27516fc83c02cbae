/**
 * Models with at most this many triangles (250 MB of binary STL) are held in memory, at about 110 bytes per triangle,
 * and their edges are checked. Larger models are only measured as a stream, whose memory does not depend on the file's
 * size.
 */
export const MAX_CHECKED_TRIANGLES = 5_000_000

/**
 * Models with at least this many triangles are analyzed one at a time: two at once could take more memory than a small
 * machine has.
 */
export const LARGE_TRIANGLES = 1_000_000

/** Number of triangles that are sampled to draw a model too large for memory. */
export const SAMPLED_TRIANGLES = 800_000

/** Size of the mesh that a viewer loads first: 3 MB, enough to recognize a part. */
export const PREVIEW_TRIANGLES = 60_000
