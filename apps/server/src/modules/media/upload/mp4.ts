import { type FileHandle, open } from 'node:fs/promises'

/** Part of a file whose bytes are replaced, without moving any other byte. */
interface Replacement {
  /** Offset of the first replaced byte in the file. */
  at: number
  length: number
  /** The new bytes; zeros if it is missing. */
  text?: string
}

/** A box (ISO/IEC 14496-12, 4.2; in QuickTime: an atom). Offsets count from the start of the read bytes. */
interface Box {
  type: string
  start: number
  /** Offset of the first byte after the header. */
  body: number
  end: number
}

/** A real index needs about 20 bytes for each frame, so this is enough for a video of ten hours. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024
const MAX_BOXES = 100_000
const MAX_REPLACEMENTS = 100_000
/** The brands of pictures, which have the same container. */
const PICTURE_BRANDS = new Set(['avif', 'avis', 'heic', 'heix', 'hevc', 'mif1', 'msf1'])
/** Boxes that describe the recording: place, camera, owner and comments. A player does not need them. */
const DESCRIPTIONS = new Set(['udta', 'meta', 'uuid'])
/** The track handlers of a video (12.1), its sound (12.2), and subtitles (12.6). */
const PLAYED = new Set(['vide', 'soun', 'text', 'subt', 'sbtl'])

/** Returns whether the first bytes of a file are those of an MP4 or QuickTime file that is not a picture. */
export const startsLikeMp4 = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return head.slice(4, 8) === 'ftyp' && !PICTURE_BRANDS.has(head.slice(8, 12))
}

/** Reads a box header. Returns null if the bytes end too early or the size is impossible. */
function readBox(bytes: Buffer, start: number, limit: number): Box | null {
  if (start + 8 > bytes.length) return null
  const type = bytes.toString('latin1', start + 4, start + 8)
  const short = bytes.readUInt32BE(start)
  if (short === 1 && start + 16 > bytes.length) return null
  const body = start + (short === 1 ? 16 : 8)
  const size = short === 0 ? limit - start : short === 1 ? Number(bytes.readBigUInt64BE(start + 8)) : short
  const end = start + size
  return end < body || end > limit ? null : { type, start, body, end }
}

/** Returns the boxes between two offsets. Ends at the first broken one. */
function boxesIn(bytes: Buffer, { body, end }: Pick<Box, 'body' | 'end'>): Box[] {
  const boxes: Box[] = []
  for (let at = body; at < end && boxes.length < MAX_BOXES; ) {
    const box = readBox(bytes, at, end)
    if (!box) break
    boxes.push(box)
    at = box.end
  }
  return boxes
}

function findBox(bytes: Buffer, within: Pick<Box, 'body' | 'end'>, path: readonly string[]): Box | null {
  let found: Pick<Box, 'body' | 'end'> & Partial<Box> = within
  for (const type of path) {
    const next = boxesIn(bytes, found).find((box) => box.type === type)
    if (!next) return null
    found = next
  }
  return found as Box
}

/** Returns the handler of a track, such as `vide`. */
function handlerOf(bytes: Buffer, track: Box): string {
  const handler = findBox(bytes, track, ['mdia', 'hdlr'])
  return handler && handler.body + 12 <= handler.end
    ? bytes.toString('latin1', handler.body + 8, handler.body + 12)
    : ''
}

/** Reads a table: a header of `skip` bytes, a count, and entries of `width` bytes. */
function readTable(
  bytes: Buffer,
  box: Box | null,
  { skip, width }: { skip: number; width: number },
): number[] {
  if (!box || box.body + skip + 4 > box.end) return []
  const count = bytes.readUInt32BE(box.body + skip)
  const first = box.body + skip + 4
  return count * width > box.end - first
    ? []
    : Array.from({ length: count }, (_, index) => first + index * width)
}

/**
 * Returns the samples of a track as parts of the file, which become zeros. The tables are those of 8.6 and 8.7: sizes
 * (`stsz`), samples of each chunk (`stsc`), and chunk offsets (`stco`, `co64`).
 */
function samplesOf(bytes: Buffer, track: Box, fileBytes: number): Replacement[] {
  const table = findBox(bytes, track, ['mdia', 'minf', 'stbl'])
  if (!table) return []
  const sizes = findBox(bytes, table, ['stsz'])
  const uniform = sizes && sizes.body + 8 <= sizes.end ? bytes.readUInt32BE(sizes.body + 4) : 0
  const each = readTable(bytes, sizes, { skip: 8, width: 4 }).map((at) => bytes.readUInt32BE(at))
  const runs = readTable(bytes, findBox(bytes, table, ['stsc']), { skip: 4, width: 12 }).map((at) => ({
    firstChunk: bytes.readUInt32BE(at),
    samples: bytes.readUInt32BE(at + 4),
  }))
  const long = findBox(bytes, table, ['co64'])
  const chunks = long
    ? readTable(bytes, long, { skip: 4, width: 8 }).map((at) => Number(bytes.readBigUInt64BE(at)))
    : readTable(bytes, findBox(bytes, table, ['stco']), { skip: 4, width: 4 }).map((at) =>
        bytes.readUInt32BE(at),
      )
  let sample = 0
  let run = 0
  return chunks.slice(0, MAX_REPLACEMENTS).flatMap((at, index) => {
    while ((runs[run + 1]?.firstChunk ?? Number.POSITIVE_INFINITY) <= index + 1) run += 1
    const count = runs[run]?.samples ?? 0
    const length =
      uniform > 0 ? uniform * count : each.slice(sample, sample + count).reduce((sum, size) => sum + size, 0)
    sample += count
    return at + length <= fileBytes && length > 0 ? [{ at, length }] : []
  })
}

/** A box that is renamed to `free` keeps its size, so that the offsets of all samples stay right. */
const asFree = ({ start, body, end }: Box, offset: number): Replacement[] => [
  { at: offset + start + 4, length: 4, text: 'free' },
  { at: offset + body, length: end - body },
]

/** Returns what to replace in the index (`moov`), or null if it has no video track. */
function cleanIndex(bytes: Buffer, offset: number, fileBytes: number): Replacement[] | null {
  const inside = boxesIn(bytes, { body: 0, end: bytes.length })
  const tracks = inside.filter(({ type }) => type === 'trak')
  if (!tracks.some((track) => handlerOf(bytes, track) === 'vide')) return null
  const played = tracks.filter((track) => PLAYED.has(handlerOf(bytes, track)))
  const others = tracks.filter((track) => !played.includes(track))
  const descriptions = [...inside, ...played.flatMap((track) => boxesIn(bytes, track))].filter(({ type }) =>
    DESCRIPTIONS.has(type),
  )
  return [
    ...others.flatMap((track) => samplesOf(bytes, track, fileBytes)),
    ...[...others, ...descriptions].flatMap((box) => asFree(box, offset)),
  ]
}

/** Lists the boxes of the whole file, without reading their bodies. Returns null if one is broken. */
async function listBoxes(file: FileHandle, fileBytes: number): Promise<Box[] | null> {
  const boxes: Box[] = []
  const head = Buffer.alloc(16)
  for (let at = 0; at < fileBytes; ) {
    if (boxes.length === MAX_BOXES) return null
    const { bytesRead } = await file.read(head, 0, 16, at)
    const box = readBox(head.subarray(0, bytesRead), 0, fileBytes - at)
    if (!box) return null
    boxes.push({ type: box.type, start: at, body: at + box.body, end: at + box.end })
    at += box.end
  }
  return boxes
}

/** Returns what to replace in an MP4 or QuickTime file, or null if it is not a whole one with a video track. */
async function findReplacements(file: FileHandle): Promise<Replacement[] | null> {
  const { size } = await file.stat()
  const boxes = await listBoxes(file, size)
  const index = boxes?.find(({ type }) => type === 'moov')
  if (!boxes || !index || boxes[0]?.type !== 'ftyp') return null
  const bytes = Buffer.alloc(index.end - index.body <= MAX_INDEX_BYTES ? index.end - index.body : 0)
  await file.read(bytes, 0, bytes.length, index.body)
  const inIndex = cleanIndex(bytes, index.body, size)
  const described = boxes.filter(({ type }) => DESCRIPTIONS.has(type)).flatMap((box) => asFree(box, 0))
  return inIndex && [...inIndex, ...described]
}

/** Replaces those bytes of a chunk that a replacement covers. `at` is the chunk's offset in the file. */
function replaceIn(chunk: Buffer, at: number, replacement: Replacement): void {
  const from = Math.max(at, replacement.at)
  const to = Math.min(at + chunk.length, replacement.at + replacement.length)
  if (from >= to) return
  chunk.fill(0, from - at, to - at)
  const { text } = replacement
  if (text !== undefined)
    chunk.write(text.slice(from - replacement.at, to - replacement.at), from - at, 'latin1')
}

/**
 * Reads an MP4 or QuickTime file and passes it on without its descriptions: the place of the recording, the camera,
 * and tracks with sensor data. All other bytes stay the same and keep their offsets. Returns false, and passes nothing
 * on, if the file is broken or has no video track.
 */
export async function passCleanMp4(path: string, write: (chunk: Buffer) => Promise<void>): Promise<boolean> {
  const file = await open(path)
  try {
    const replacements = await findReplacements(file)
    if (!replacements) return false
    let at = 0
    for await (const chunk of file.createReadStream({
      start: 0,
      autoClose: false,
      highWaterMark: 1024 * 1024,
    })) {
      const bytes = chunk as Buffer
      for (const replacement of replacements) replaceIn(bytes, at, replacement)
      at += bytes.length
      await write(bytes)
    }
    return true
  } finally {
    await file.close()
  }
}
