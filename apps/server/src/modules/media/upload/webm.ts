import { open } from 'node:fs/promises'

/**
 * IDs of EBML elements (RFC 8794) that suffice to distinguish a WebM from other files with the same
 * beginning.
 */
const EBML_HEADER = 0x1a45dfa3
const DOC_TYPE = 0x4282
const SEGMENT = 0x18538067
const TRACKS = 0x1654ae6b
const TRACK_ENTRY = 0xae
const CODEC_ID = 0x86
const CLUSTER = 0x1f43b675

/**
 * The number of bytes at the start of a file that are searched for its tracks. Only an index and some tags may precede
 * the tracks.
 */
const HEAD_BYTES = 1024 * 1024
const MAX_ELEMENTS = 2000
const VIDEO_CODECS = new Set(['V_VP8', 'V_VP9', 'V_AV1'])

interface Element {
  id: number
  start: number
  /**
   * The position after the last byte of the element, or after the last available byte if that comes first.
   */
  end: number
}

/** Reads a variable-length number. Returns null if it is invalid or the bytes end too early. */
function readVint(
  bytes: Uint8Array,
  at: number,
  keepsMarker: boolean,
): { value: number; size: number } | null {
  const first = bytes[at]
  if (first === undefined || first === 0) return null
  const size = Math.clz32(first) - 23
  if (size > 8 || at + size > bytes.length) return null
  let value = keepsMarker ? first : first & (0xff >> size)
  for (let offset = 1; offset < size; offset += 1) value = value * 256 + (bytes[at + offset] ?? 0)
  // If all bits are set, the length is unknown, as in a live stream.
  const isUnknown = !keepsMarker && value === 2 ** (7 * size) - 1
  return { value: isUnknown ? Number.POSITIVE_INFINITY : value, size }
}

function* elementsIn(bytes: Uint8Array, start: number, end: number): Generator<Element> {
  let at = start
  for (let count = 0; count < MAX_ELEMENTS && at < end; count += 1) {
    const id = readVint(bytes, at, true)
    const length = id && readVint(bytes, at + id.size, false)
    if (!id || !length) return
    const from = at + id.size + length.size
    at = from + length.value
    yield { id: id.value, start: from, end: Math.min(at, bytes.length) }
  }
}

const find = (bytes: Uint8Array, id: number, within: { start: number; end: number }): Element | undefined =>
  [...elementsIn(bytes, within.start, within.end)].find((element) => element.id === id)

const textOf = (bytes: Uint8Array, element: Element | undefined): string =>
  element
    ? Buffer.from(bytes.subarray(element.start, element.end)).toString('latin1').replace(/\0+$/, '')
    : ''

/** Returns whether these are the first bytes of a WebM with a video track. */
export function isWebm(bytes: Uint8Array): boolean {
  const whole = { start: 0, end: bytes.length }
  const [header] = elementsIn(bytes, 0, bytes.length)
  if (header?.id !== EBML_HEADER || textOf(bytes, find(bytes, DOC_TYPE, header)) !== 'webm') return false
  const segment = find(bytes, SEGMENT, whole)
  if (!segment) return false
  for (const element of elementsIn(bytes, segment.start, segment.end)) {
    if (element.id === CLUSTER) return false
    if (element.id === TRACKS) return hasVideo(bytes, element)
  }
  return false
}

const hasVideo = (bytes: Uint8Array, tracks: Element): boolean =>
  [...elementsIn(bytes, tracks.start, tracks.end)].some(
    (entry) => entry.id === TRACK_ENTRY && VIDEO_CODECS.has(textOf(bytes, find(bytes, CODEC_ID, entry))),
  )

/** Returns whether a file is a WebM with a video track. */
export async function isWebmFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    return isWebm(head.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}
