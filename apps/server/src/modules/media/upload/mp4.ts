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

const CHUNK_BYTES = 1024 * 1024
/** A frame needs about 20 bytes of the index, so this is enough for several hours. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024
/** Maximum number of boxes that are read. A real index has a few hundred. A box that is read twice counts twice. */
const MAX_BOXES = 20_000
/**
 * The maximum number of chunks in all tracks with sensor data, of replaced parts of the file, and of samples in one
 * track.
 */
const MAX_CHUNKS = 20_000
const MAX_REPLACEMENTS = 50_000
const MAX_SAMPLES = 1_000_000
/** The brands of picture formats that use the same container, such as AVIF and HEIC. */
const PICTURE_BRANDS = new Set(['avif', 'avis', 'heic', 'heix', 'hevc', 'mif1', 'msf1'])
/**
 * The boxes that a player needs (ISO/IEC 14496-12, table 1; QuickTime File Format), by the box that contains them. All
 * others are blanked: they describe the recording, for example its place, camera and owner, or are unused space.
 */
const NEEDED = {
  file: new Set(['ftyp', 'moov', 'mdat', 'moof', 'mfra', 'sidx', 'ssix', 'styp']),
  moov: new Set(['mvhd', 'trak', 'mvex', 'iods']),
  trak: new Set(['tkhd', 'edts', 'tref', 'trgr', 'mdia', 'tapt', 'clip', 'matt', 'load']),
  mdia: new Set(['mdhd', 'hdlr', 'minf', 'elng']),
  minf: new Set(['vmhd', 'smhd', 'hmhd', 'sthd', 'nmhd', 'gmhd', 'hdlr', 'dinf', 'stbl']),
} as const
/**
 * The track handlers of video (12.1) and sound (12.2). Subtitles are left out, because some cameras write locations
 * into them.
 */
const PLAYED = new Set(['vide', 'soun'])

/** Thrown if a box is broken, or if the file has too many boxes. */
class BrokenBoxError extends Error {}

/** Returns whether the first bytes of a file are those of an MP4 or QuickTime file that is not a picture. */
export const startsLikeMp4 = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return head.slice(4, 8) === 'ftyp' && !PICTURE_BRANDS.has(head.slice(8, 12))
}

/** Reads a box header. Returns null if the bytes end too early or the size is invalid. */
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

/** The bytes of the index, and how many more of its boxes may be read. */
interface Index {
  bytes: Buffer
  boxesLeft: number
}

/** Returns the boxes between two offsets. Throws BrokenBoxError unless they fill it exactly. */
function boxesIn(index: Index, { body, end }: Pick<Box, 'body' | 'end'>): Box[] {
  const boxes: Box[] = []
  for (let at = body; at < end; ) {
    const box = readBox(index.bytes, at, end)
    if (!box || index.boxesLeft === 0) throw new BrokenBoxError()
    index.boxesLeft -= 1
    boxes.push(box)
    at = box.end
  }
  return boxes
}

function findBox(index: Index, within: Pick<Box, 'body' | 'end'>, path: readonly string[]): Box | null {
  let found: Pick<Box, 'body' | 'end'> & Partial<Box> = within
  for (const type of path) {
    const next = boxesIn(index, found).find((box) => box.type === type)
    if (!next) return null
    found = next
  }
  return found as Box
}

/** Returns the handler of a track, such as `vide`. */
function handlerOf(index: Index, track: Box): string {
  const handler = findBox(index, track, ['mdia', 'hdlr'])
  return handler && handler.body + 12 <= handler.end
    ? index.bytes.toString('latin1', handler.body + 8, handler.body + 12)
    : ''
}

/** Reads a table: a header of `skip` bytes, a count, and entries of `width` bytes. Returns null if it is broken. */
function readTable(
  bytes: Buffer,
  box: Box | null,
  { skip, width }: { skip: number; width: number },
): number[] | null {
  if (!box || box.body + skip + 4 > box.end) return null
  const count = bytes.readUInt32BE(box.body + skip)
  const first = box.body + skip + 4
  return count > MAX_SAMPLES || count * width > box.end - first
    ? null
    : Array.from({ length: count }, (_, index) => first + index * width)
}

/**
 * Returns the samples of a track as parts of the file, which become zeros. The tables are those of 8.6 and 8.7: sizes
 * (`stsz`), samples of each chunk (`stsc`), and chunk offsets (`stco`, `co64`). Returns null if a table is missing,
 * broken or too long.
 */
function samplesOf(index: Index, track: Box, fileBytes: number): Replacement[] | null {
  const { bytes } = index
  const table = findBox(index, track, ['mdia', 'minf', 'stbl'])
  const sizes = table && findBox(index, table, ['stsz'])
  if (!sizes || sizes.body + 12 > sizes.end) return null
  const uniform = bytes.readUInt32BE(sizes.body + 4)
  const sampleCount = bytes.readUInt32BE(sizes.body + 8)
  const each = uniform > 0 ? [] : readTable(bytes, sizes, { skip: 8, width: 4 })
  const runs = readTable(bytes, findBox(index, table, ['stsc']), { skip: 4, width: 12 })
  const long = findBox(index, table, ['co64'])
  const chunks = readTable(bytes, long ?? findBox(index, table, ['stco']), { skip: 4, width: long ? 8 : 4 })
  if (!each || !runs || !chunks || chunks.length > MAX_CHUNKS) return null
  const parts: Replacement[] = []
  let sample = 0
  let run = 0
  for (const [number, place] of chunks.entries()) {
    while (run + 1 < runs.length && bytes.readUInt32BE(runs[run + 1]!) <= number + 1) run += 1
    const count = runs[run] === undefined ? 0 : bytes.readUInt32BE(runs[run]! + 4)
    const last = Math.min(sample + count, sampleCount)
    let length = uniform * (last - sample)
    for (; sample < last; sample += 1) if (uniform === 0) length += bytes.readUInt32BE(each[sample]!)
    const at = long ? Number(bytes.readBigUInt64BE(place)) : bytes.readUInt32BE(place)
    if (at + length > fileBytes) return null
    parts.push({ at, length })
  }
  // If some samples belong to no chunk, their bytes cannot be found and blanked.
  return sample < sampleCount ? null : parts
}

/** A box that is renamed to `free` keeps its size, so that the offsets of all samples stay right. */
const asFree = ({ start, body, end }: Box, offset: number): Replacement[] => [
  { at: offset + start + 4, length: 4, text: 'free' },
  { at: offset + body, length: end - body },
]

/** Returns the boxes in a box of the index, and below it, that no player needs. */
function needless(
  index: Index,
  within: Pick<Box, 'body' | 'end'>,
  parent: Exclude<keyof typeof NEEDED, 'file'>,
): Box[] {
  return boxesIn(index, within).flatMap((box) => {
    if (!NEEDED[parent].has(box.type as never)) return [box]
    const { type } = box
    return type === 'trak' || type === 'mdia' || type === 'minf' ? needless(index, box, type) : []
  })
}

/** The result of reading a file: what to replace in it, or why it is refused. */
type Reading = Replacement[] | 'invalid' | 'sensors'

/** Returns what to replace in the index (`moov`). `isFragmented` means that other boxes list samples too. */
function cleanIndex(
  index: Index,
  { offset, fileBytes, isFragmented }: { offset: number; fileBytes: number; isFragmented: boolean },
): Reading {
  const whole = { body: 0, end: index.bytes.length }
  const tracks = boxesIn(index, whole).filter(({ type }) => type === 'trak')
  const handlers = new Map(tracks.map((track) => [track, handlerOf(index, track)]))
  if (![...handlers.values()].includes('vide')) return 'invalid'
  const sensors = tracks.filter((track) => !PLAYED.has(handlers.get(track) ?? ''))
  const samples: Replacement[] = []
  for (const track of sensors) {
    const found = isFragmented ? null : samplesOf(index, track, fileBytes)
    if (!found || samples.length + found.length > MAX_CHUNKS) return 'sensors'
    samples.push(...found)
  }
  return [
    ...samples,
    ...[...sensors, ...needless(index, whole, 'moov')].flatMap((box) => asFree(box, offset)),
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

/** Reads the index and returns what to replace in it. */
async function readIndex(
  file: FileHandle,
  box: Box,
  rest: { fileBytes: number; isFragmented: boolean },
): Promise<Reading> {
  const length = box.end - box.body
  if (length > MAX_INDEX_BYTES) return 'invalid'
  const bytes = Buffer.alloc(length)
  await file.read(bytes, 0, length, box.body)
  try {
    return cleanIndex({ bytes, boxesLeft: MAX_BOXES }, { offset: box.body, ...rest })
  } catch (error) {
    if (error instanceof BrokenBoxError) return 'invalid'
    throw error
  }
}

async function findReplacements(file: FileHandle): Promise<Reading> {
  const { size } = await file.stat()
  const boxes = await listBoxes(file, size)
  const [index, ...others] = boxes?.filter(({ type }) => type === 'moov') ?? []
  if (!boxes || !index || others.length > 0 || boxes[0]?.type !== 'ftyp') return 'invalid'
  const isFragmented = boxes.some(({ type }) => type === 'moof')
  const inIndex = await readIndex(file, index, { fileBytes: size, isFragmented })
  if (typeof inIndex === 'string') return inIndex
  const described = boxes.filter(({ type }) => !NEEDED.file.has(type as never))
  const all = [...inIndex, ...described.flatMap((box) => asFree(box, 0))]
  return all.length > MAX_REPLACEMENTS ? 'invalid' : mergeZeros(all)
}

/**
 * Joins overlapping ranges of zeros, so that no byte becomes zero twice: in a hostile file, every chunk can cover the
 * whole file. Returns first the zeros and then the texts, each in the order of the file.
 */
function mergeZeros(replacements: readonly Replacement[]): Replacement[] {
  const sorted = replacements.toSorted((a, b) => a.at - b.at)
  const zeros: Replacement[] = []
  for (const each of sorted.filter(({ text }) => text === undefined)) {
    const last = zeros.at(-1)
    if (last && each.at <= endOf(last)) last.length = Math.max(last.length, endOf(each) - last.at)
    else zeros.push({ ...each })
  }
  return [...zeros, ...sorted.filter(({ text }) => text !== undefined)]
}

/** Replaces those bytes of a chunk that a replacement covers. `at` is the chunk's offset in the file. */
function replaceIn(chunk: Buffer, at: number, { at: start, length, text }: Replacement): void {
  const from = Math.max(at, start)
  const to = Math.min(at + chunk.length, start + length)
  if (from >= to) return
  chunk.fill(0, from - at, to - at)
  if (text !== undefined) chunk.write(text.slice(from - start, to - start), from - at, 'latin1')
}

/**
 * Reads an MP4 or QuickTime file and passes it on without its descriptions: the place of the recording, the camera,
 * and tracks with sensor data. All other bytes stay the same and keep their offsets. Passes nothing on and returns
 * `invalid` if the file is broken or has no video track, or `sensors` if the sensor data cannot be removed.
 */
export async function passCleanMp4(
  path: string,
  write: (chunk: Buffer) => Promise<void>,
): Promise<'passed' | 'invalid' | 'sensors'> {
  const file = await open(path)
  try {
    const replacements = await findReplacements(file)
    if (typeof replacements === 'string') return replacements
    let at = 0
    for await (const chunk of file.createReadStream({
      start: 0,
      autoClose: false,
      highWaterMark: CHUNK_BYTES,
    })) {
      const bytes = chunk as Buffer
      for (const replacement of replacements) replaceIn(bytes, at, replacement)
      at += bytes.length
      await write(bytes)
    }
    return 'passed'
  } finally {
    await file.close()
  }
}

const endOf = ({ at, length }: Replacement): number => at + length
