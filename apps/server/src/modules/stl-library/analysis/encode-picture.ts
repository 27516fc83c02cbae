const WEBP_QUALITY = 86

/** Encodes drawn pixels as WebP with a transparent background, on the codec's own threads. */
export async function encodePicture(picture: {
  width: number
  height: number
  rgba: Uint8ClampedArray
}): Promise<Buffer> {
  const { width, height, rgba } = picture
  // Loaded with the first picture: a server that draws none does without the codec's memory.
  const { default: sharp } = await import('sharp')
  return sharp(rgba, { raw: { width, height, channels: 4 } })
    .webp({ quality: WEBP_QUALITY })
    .toBuffer()
}
