import type { Sharp, SharpInput, SharpOptions } from 'sharp'
import type { Pixels } from '../analysis.protocol.ts'

const WEBP_QUALITY = 86
/**
 * Quality of the frames. It is lower than for still pictures, because movement hides compression artifacts.
 */
const TURNTABLE_QUALITY = 78
/** With this delay, one turn of 24 frames takes two and a half seconds. */
const FRAME_MS = 105
/** Maximum number of pixels of an embedded picture. No slicer writes a larger preview. */
const MAX_EMBEDDED_PIXELS = 16_000_000
/** Smaller pictures are icons, which would look blurred as thumbnails. */
const MIN_EMBEDDED_PX = 128
const DECODE_SECONDS = 10

// Import the codec only when it is needed, so that a server that draws no pictures saves its memory.
async function open(input: SharpInput, options: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(input, options)
}

const openPixels = ({ rgba, width, height }: Pixels, pageHeight = height): Promise<Sharp> =>
  open(rgba, { raw: { width, height, channels: 4, pageHeight } })

/** Encodes drawn pixels as WebP with a transparent background, on the encoder's own threads. */
export async function encodePicture(picture: Pixels): Promise<Buffer> {
  return (await openPixels(picture)).webp({ quality: WEBP_QUALITY }).toBuffer()
}

/** Encodes square frames, stacked vertically, as an endless animation. */
export async function encodeTurntable(strip: Pixels): Promise<Buffer> {
  const frames = strip.height / strip.width
  const delay = Array.from({ length: frames }, () => FRAME_MS)
  return (await openPixels(strip, strip.width))
    .webp({ quality: TURNTABLE_QUALITY, loop: 0, delay })
    .toBuffer()
}

/**
 * Turns a picture embedded in an uploaded file into a square thumbnail with transparent margins. The picture
 * is decoded under limits and encoded again, so that nothing but its pixels remains. Returns null if it
 * cannot be decoded, or is too large or too small.
 */
export async function encodeEmbedded(bytes: Uint8Array, sizePx: number): Promise<Buffer | null> {
  try {
    const source = await open(bytes, { limitInputPixels: MAX_EMBEDDED_PIXELS, pages: 1 })
    const { width, height } = await source.metadata()
    if (Math.min(width, height) < MIN_EMBEDDED_PX) return null
    return await source
      .timeout({ seconds: DECODE_SECONDS })
      .resize(sizePx, sizePx, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .webp({ quality: WEBP_QUALITY })
      .toBuffer()
  } catch {
    // The embedded picture is unusable, so the caller draws the model instead.
    return null
  }
}

/** Returns the same picture as PNG on a white background, a format that every program reads. */
export async function asPngOnWhite(webp: Uint8Array): Promise<Buffer> {
  return (await open(webp, {})).flatten({ background: '#ffffff' }).png().toBuffer()
}
