import type { EmbeddedPicture } from '@pegasus/mesh/gcode/sliced-file'

const SIZE_PX = 480
const WEBP_QUALITY = 86
/** Maximum number of pixels of a picture. No slicer writes a larger preview. */
const MAX_PIXELS = 16_000_000
/** Smaller pictures are icons, which would look blurred as thumbnails. */
const MIN_PX = 48
const DECODE_SECONDS = 10

/**
 * Converts the first picture that can be decoded to WebP. The picture is decoded under limits and encoded
 * again, so that nothing but its pixels remains. The size that the file states is not used. Returns null if
 * no picture can be decoded.
 */
export async function encodeSlicePicture(pictures: readonly EmbeddedPicture[]): Promise<Buffer | null> {
  for (const picture of pictures) {
    const encoded = await encode(picture)
    if (encoded) return encoded
  }
  return null
}

async function encode(picture: EmbeddedPicture): Promise<Buffer | null> {
  // Import the codec only when it is needed, so that a server that encodes no pictures saves its memory.
  const { default: sharp } = await import('sharp')
  try {
    const source =
      picture.kind === 'pixels'
        ? sharp(picture.rgba, { raw: { width: picture.width, height: picture.height, channels: 4 } })
        : sharp(picture.bytes, { limitInputPixels: MAX_PIXELS, pages: 1 })
    const { width, height, format } = await source.metadata()
    if (Math.min(width, height) < MIN_PX) return null
    if (picture.kind === 'encoded' && format !== 'png' && format !== 'jpeg') return null
    return await source
      .timeout({ seconds: DECODE_SECONDS })
      .resize(SIZE_PX, SIZE_PX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: WEBP_QUALITY })
      .toBuffer()
  } catch {
    // A damaged picture is not a reason to refuse a file that can be printed.
    return null
  }
}
