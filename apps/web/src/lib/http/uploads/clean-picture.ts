// Removes metadata from pictures, such as the place where a photo was taken. This server removes metadata itself, by
// decoding each picture. A hosted project stores the file as it is, so the browser removes the metadata before the
// upload. The picture data stay the same, bit for bit.

const JPEG_START = [0xff, 0xd8]
const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** The chunks that draw a PNG. All others are texts, times and metadata. */
const PNG_CHUNKS: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT pHYs bKGD acTL fcTL fdAT'.split(' '),
)
/** The chunks that draw a WebP. */
const WEBP_CHUNKS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP'])
/** The flags for EXIF and XMP in the first byte of VP8X. */
const WEBP_METADATA_FLAGS = 0x0c

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/** Returns the orientation (1 to 8) in the EXIF data of a JPEG segment. 1 is upright. Throws if it is truncated. */
function orientationOf(segment: Uint8Array): number {
  if (textAt(segment, 4, 6) !== 'Exif\0\0') return 1
  const tiff = viewOf(segment.subarray(10))
  const isLittle = tiff.getUint16(0) === 0x4949
  const directory = tiff.getUint32(4, isLittle)
  const count = tiff.getUint16(directory, isLittle)
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12
    if (tiff.getUint16(entry, isLittle) === 0x0112) return tiff.getUint16(entry + 8, isLittle)
  }
  return 1
}

/** Returns an EXIF segment that contains only the orientation. */
function orientationSegment(orientation: number): Uint8Array<ArrayBuffer> {
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0]
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1]
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  const body = [...exif, ...tiff, ...entry]
  return Uint8Array.from([0xff, 0xe1, 0, body.length + 2, ...body])
}

/** Returns whether a JPEG segment is needed to draw the picture. Metadata, comments and thumbnails are not. */
function drawsJpeg(marker: number, segment: Uint8Array): boolean {
  if (marker === 0xfe) return false
  if (marker === 0xe2) return textAt(segment, 4, 11) === 'ICC_PROFILE'
  return marker < 0xe0 || marker > 0xef || marker === 0xe0 || marker === 0xee
}

/**
 * Returns the parts of a JPEG that are needed to draw it, with its orientation. Drops bytes after the end of the
 * picture, such as the video of a motion photo. Throws if the picture is truncated.
 */
function cleanJpeg(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const parts = [bytes.subarray(0, 2)]
  const view = viewOf(bytes)
  let orientation = 1
  let at = 2
  for (;;) {
    if (view.getUint8(at) !== 0xff) throw new Error('A marker is missing.')
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0xd9) {
      parts.push(bytes.subarray(at, at + 2))
      break
    }
    const end = at + 2 + view.getUint16(at + 2)
    const segment = bytes.subarray(at, end)
    if (segment.length !== end - at) throw new Error('A segment is truncated.')
    if (marker === 0xe1 && orientation === 1) orientation = orientationOf(segment)
    if (drawsJpeg(marker, segment)) parts.push(segment)
    at = end
    if (marker !== 0xda) continue
    // The drawn data follow. In them, 0xff is followed by 0 or by a restart marker (0xd0 to 0xd7).
    while (view.getUint8(at) !== 0xff || /^(?:0|d[0-7])$/.test(view.getUint8(at + 1).toString(16))) at += 1
    parts.push(bytes.subarray(end, at))
  }
  if (orientation > 1 && orientation <= 8) parts.splice(1, 0, orientationSegment(orientation))
  return parts
}

function cleanPng(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const parts = [bytes.subarray(0, PNG_START.length)]
  const view = viewOf(bytes)
  for (let at = PNG_START.length; ; ) {
    const name = textAt(bytes, at + 4, 4)
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) throw new Error('A chunk is truncated.')
    if (PNG_CHUNKS.has(name)) parts.push(bytes.subarray(at, end))
    if (name === 'IEND') return parts
    at = end
  }
}

function cleanWebp(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const head = bytes.slice(0, 12)
  const parts = [head]
  const view = viewOf(bytes)
  const fileEnd = 8 + view.getUint32(4, true)
  for (let at = 12; at < fileEnd; ) {
    const name = textAt(bytes, at, 4)
    const size = view.getUint32(at + 4, true)
    const end = at + 8 + size + (size % 2)
    if (end > bytes.length) throw new Error('A chunk is truncated.')
    const chunk = bytes.slice(at, end)
    if (name === 'VP8X') viewOf(chunk).setUint8(8, viewOf(chunk).getUint8(8) & ~WEBP_METADATA_FLAGS)
    if (WEBP_CHUNKS.has(name)) parts.push(chunk)
    at = end
  }
  const size = parts.reduce((sum, part) => sum + part.length, 0) - 8
  viewOf(head).setUint32(4, size, true)
  return parts
}

/**
 * Returns a JPEG, PNG or WebP without metadata. The orientation of a JPEG is kept. Returns null for other formats and for
 * damaged files.
 */
export async function cleanPicture(file: Blob): Promise<Blob | null> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    if (startsWith(bytes, JPEG_START)) return new Blob(cleanJpeg(bytes), { type: 'image/jpeg' })
    if (startsWith(bytes, PNG_START)) return new Blob(cleanPng(bytes), { type: 'image/png' })
    if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP')
      return new Blob(cleanWebp(bytes), { type: 'image/webp' })
    return null
  } catch {
    return null
  }
}
