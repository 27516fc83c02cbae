import { decodeQoi } from './qoi.ts'
import type { EmbeddedPicture } from './sliced-file.ts'

type PictureFormat = 'png' | 'jpg' | 'qoi'

/** An embedded picture. `claimedPixels` is the number of pixels according to its first line. */
export type FoundPicture = { format: PictureFormat; claimedPixels: number; bytes: Uint8Array }

/** Maximum size of a picture. */
export const MAX_PICTURE_BYTES = 4 * 1024 * 1024
const MAX_PICTURES = 4
/**
 * The lines of a picture are joined in batches of this size, because many short strings take far more memory than a
 * long one.
 */
const LINES_JOINED = 1000
const MAX_BASE64 = Math.ceil((MAX_PICTURE_BYTES * 4) / 3) + 4

const BEGIN = /^thumbnail(?:_(png|jpg|qoi))? begin (\d{1,5}) ?[x ] ?(\d{1,5})\b/i
const END = /^thumbnail(?:_(?:png|jpg|qoi))? end/i

/** Collects the pictures in the comments of G-code, line by line. Pictures that are too long are left out. */
export class ThumbnailCollector {
  readonly found: FoundPicture[] = []
  #open: {
    format: PictureFormat
    claimedPixels: number
    text: string
    lines: string[]
    length: number
  } | null = null

  /** Reads the text of a comment. Returns whether it is part of a picture. */
  take(comment: string): boolean {
    const open = this.#open
    if (open === null) {
      const [isBegin, format = 'png', width, height] = BEGIN.exec(comment) ?? []
      if (isBegin === undefined) return false
      const claimedPixels = Number(width) * Number(height)
      this.#open = {
        format: format.toLowerCase() as PictureFormat,
        claimedPixels,
        text: '',
        lines: [],
        length: 0,
      }
      return true
    }
    if (END.test(comment)) {
      this.#open = null
      if (open.length > 0 && open.length <= MAX_BASE64) this.#keep(open, open.text + open.lines.join(''))
      return true
    }
    open.length += comment.length
    if (open.length > MAX_BASE64) {
      open.text = ''
      open.lines = []
    } else if (open.lines.push(comment) >= LINES_JOINED) {
      open.text += open.lines.join('')
      open.lines = []
    }
    return true
  }

  #keep({ format, claimedPixels }: { format: PictureFormat; claimedPixels: number }, base64: string) {
    const bytes = decodeBase64(base64)
    if (bytes === null) return
    keepLargest(this.found, { format, claimedPixels, bytes })
  }
}

/** Adds a picture to `found`, which keeps only the few largest pictures. */
export function keepLargest(found: FoundPicture[], picture: FoundPicture): void {
  found.push(picture)
  found.sort((a, b) => b.claimedPixels - a.claimedPixels)
  if (found.length > MAX_PICTURES) found.length = MAX_PICTURES
}

function decodeBase64(text: string): Uint8Array | null {
  try {
    const letters = atob(text)
    const bytes = new Uint8Array(letters.length)
    for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at)
    return bytes
  } catch {
    return null
  }
}

/**
 * Converts the found pictures. Only QOI is decoded here, because image libraries can decode the other formats. The list
 * ends with the first decoded picture: it can always be used, and decoded pictures take much memory.
 */
export function toPictures(found: readonly FoundPicture[]): EmbeddedPicture[] {
  const pictures: EmbeddedPicture[] = []
  for (const { format, bytes } of found) {
    const pixels = format === 'qoi' ? decodeQoi(bytes) : null
    if (pixels) return [...pictures, { kind: 'pixels', ...pixels }]
    if (format !== 'qoi') pictures.push({ kind: 'encoded', bytes })
  }
  return pictures
}
