const HEADER_BYTES = 14
/** Maximum number of pixels. No preview picture for a printer is that large. */
const MAX_PIXELS = 4_000_000
/** One byte describes at most this many pixels, so a short file cannot claim a huge picture. */
const MAX_RUN = 62

const OP_RGB = 0xfe
const OP_RGBA = 0xff

/** Decodes a QOI picture (qoiformat.org) to straight RGBA. Returns null if it is damaged or too large. */
export function decodeQoi(
  bytes: Uint8Array,
): { width: number; height: number; rgba: Uint8Array<ArrayBuffer> } | null {
  if (bytes.length < HEADER_BYTES || String.fromCharCode(...bytes.subarray(0, 4)) !== 'qoif') return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [width, height] = [view.getUint32(4), view.getUint32(8)]
  const pixels = width * height
  if (pixels === 0 || pixels > Math.min(MAX_PIXELS, MAX_RUN * (bytes.length - HEADER_BYTES))) return null
  const rgba = new Uint8Array(4 * pixels)
  const recentPixels = new Uint8Array(4 * 64)
  let [r, g, b, a] = [0, 0, 0, 255]
  let at = HEADER_BYTES
  let run = 0
  for (let to = 0; to < rgba.length; to += 4) {
    if (run > 0) run--
    else {
      if (at >= bytes.length) return null
      const tag = bytes[at++]!
      const rest = tag & 0x3f
      if (tag === OP_RGB || tag === OP_RGBA) {
        if (at + (tag === OP_RGB ? 3 : 4) > bytes.length) return null
        r = bytes[at++]!
        g = bytes[at++]!
        b = bytes[at++]!
        if (tag === OP_RGBA) a = bytes[at++]!
      } else if (tag >> 6 === 0) {
        r = recentPixels[4 * rest]!
        g = recentPixels[4 * rest + 1]!
        b = recentPixels[4 * rest + 2]!
        a = recentPixels[4 * rest + 3]!
      } else if (tag >> 6 === 1) {
        r = (r + (rest >> 4) - 2) & 255
        g = (g + ((rest >> 2) & 3) - 2) & 255
        b = (b + (rest & 3) - 2) & 255
      } else if (tag >> 6 === 2) {
        if (at >= bytes.length) return null
        const second = bytes[at++]!
        const green = rest - 32
        r = (r + green + (second >> 4) - 8) & 255
        g = (g + green) & 255
        b = (b + green + (second & 15) - 8) & 255
      } else run = rest
      const place = 4 * ((r * 3 + g * 5 + b * 7 + a * 11) & 63)
      recentPixels[place] = r
      recentPixels[place + 1] = g
      recentPixels[place + 2] = b
      recentPixels[place + 3] = a
    }
    rgba[to] = r
    rgba[to + 1] = g
    rgba[to + 2] = b
    rgba[to + 3] = a
  }
  return { width, height, rgba }
}
