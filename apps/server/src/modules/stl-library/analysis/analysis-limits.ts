/**
 * Up to here (250 MB of binary STL) a model is held in memory and its edges are checked, at about 110 bytes a
 * triangle. Beyond it only the streamed pass is made, whose memory does not depend on the file's size.
 */
export const MAX_CHECKED_TRIANGLES = 5_000_000

/** From here on a model is analysed one at a time: two at once may take more memory than a small machine has. */
export const LARGE_TRIANGLES = 1_000_000

/** What the picture of a model that is too large to be held is drawn from. */
export const SAMPLED_TRIANGLES = 800_000

/** What a viewer begins with: 3 MB, and enough to know a part by. */
export const PREVIEW_TRIANGLES = 60_000
