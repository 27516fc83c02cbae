import { crc32, deflateRawSync } from 'node:zlib'

/** A file to pack, and the fields for which the archive should contain wrong values. */
export type PackedFile = {
  name: string | Uint8Array
  data: Uint8Array | string
  isStored?: boolean
  flags?: number
  method?: number
  /** Wrong values to write into the central directory. */
  centralFields?: {
    sizeBytes?: number
    packedBytes?: number
    crc32?: number
    offset?: number
    mode?: number
    name?: string
  }
  /** Wrong values to write into the header before the data. */
  localFields?: { sizeBytes?: number; name?: string; method?: number }
  /** Whether the sizes and the checksum follow the data, as streaming programs write them. */
  isDeferred?: boolean
  /** Packed bytes to write instead of the packed `data`. */
  packed?: Uint8Array
}

/** Options of the archive. `isLong` puts sizes and offsets into ZIP64 records. */
type Options = {
  isLong?: boolean
  comment?: string
  entries?: number
  before?: Uint8Array
  after?: Uint8Array
  directoryOffset?: number
}

const FULL = 0xffffffff
const encode = (text: string | Uint8Array) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text

/** Packs a ZIP, which may be correct or falsified. */
export function buildZip(files: PackedFile[], options: Options = {}): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [options.before ?? new Uint8Array(0)]
  const directory: Uint8Array[] = []
  let offset = pieces[0]!.length
  for (const file of files) {
    const data = encode(file.data)
    const packed = file.packed ?? (file.isStored ? data : deflateRawSync(data))
    const truth: Truth = {
      method: file.method ?? (file.isStored ? 0 : 8),
      crc: crc32(data),
      size: data.length,
      packed: packed.length,
      offset,
    }
    directory.push(directoryRecord(file, truth, options.isLong ?? false))
    const local = [localHeader(file, truth), packed, ...(file.isDeferred ? [descriptor(truth)] : [])]
    pieces.push(...local)
    offset += local.reduce((sum, piece) => sum + piece.length, 0)
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0)
  const table = { entries: options.entries ?? files.length, size, offset: options.directoryOffset ?? offset }
  const long = options.isLong ? longEnd(table) : []
  return concat([
    ...pieces,
    ...directory,
    ...long,
    endRecord(table, options),
    options.after ?? new Uint8Array(0),
  ])
}

type Truth = { method: number; crc: number; size: number; packed: number; offset: number }
type Table = { entries: number; size: number; offset: number }

function localHeader(file: PackedFile, truth: Truth): Uint8Array {
  const name = encode(file.localFields?.name ?? file.name)
  const factor = file.isDeferred ? 0 : 1
  const header = record(30 + name.length, [
    [4, 0, 0x04034b50],
    [2, 4, 20],
    [2, 6, (file.flags ?? 0) | (file.isDeferred ? 8 : 0)],
    [2, 8, file.localFields?.method ?? truth.method],
    [4, 14, factor * truth.crc],
    [4, 18, factor * truth.packed],
    [4, 22, factor * (file.localFields?.sizeBytes ?? truth.size)],
    [2, 26, name.length],
  ])
  header.set(name, 30)
  return header
}

function descriptor(truth: Truth): Uint8Array {
  return record(16, [
    [4, 0, 0x08074b50],
    [4, 4, truth.crc],
    [4, 8, truth.packed],
    [4, 12, truth.size],
  ])
}

function directoryRecord(file: PackedFile, truth: Truth, isLong: boolean): Uint8Array {
  const name = encode(file.centralFields?.name ?? file.name)
  const {
    sizeBytes = truth.size,
    packedBytes = truth.packed,
    offset = truth.offset,
  } = file.centralFields ?? {}
  const extra = isLong
    ? record(28, [
        [2, 0, 1],
        [2, 2, 24],
        [4, 4, sizeBytes],
        [4, 12, packedBytes],
        [4, 20, offset],
      ])
    : new Uint8Array(0)
  const entry = record(46 + name.length + extra.length, [
    [4, 0, 0x02014b50],
    [2, 4, 0x031e],
    [2, 6, 20],
    [2, 8, (file.flags ?? 0) | (file.isDeferred ? 8 : 0)],
    [2, 10, truth.method],
    [4, 16, file.centralFields?.crc32 ?? truth.crc],
    [4, 20, isLong ? FULL : packedBytes],
    [4, 24, isLong ? FULL : sizeBytes],
    [2, 28, name.length],
    [2, 30, extra.length],
    [4, 38, ((file.centralFields?.mode ?? 0o100644) << 16) >>> 0],
    [4, 42, isLong ? FULL : offset],
  ])
  entry.set(name, 46)
  entry.set(extra, 46 + name.length)
  return entry
}

function longEnd({ entries, size, offset }: Table): Uint8Array[] {
  const end = record(56, [
    [4, 0, 0x06064b50],
    [4, 4, 44],
    [4, 24, entries],
    [4, 32, entries],
    [4, 40, size],
    [4, 48, offset],
  ])
  const locator = record(20, [
    [4, 0, 0x07064b50],
    [4, 8, offset + size],
    [4, 16, 1],
  ])
  return [end, locator]
}

function endRecord({ entries, size, offset }: Table, { isLong, comment = '' }: Options): Uint8Array {
  const words = encode(comment)
  const end = record(22 + words.length, [
    [4, 0, 0x06054b50],
    [2, 8, isLong ? 0xffff : Math.min(0xffff, entries)],
    [2, 10, isLong ? 0xffff : Math.min(0xffff, entries)],
    [4, 12, isLong ? FULL : size],
    [4, 16, isLong ? FULL : offset],
    [2, 20, words.length],
  ])
  end.set(words, 22)
  return end
}

export function concat(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** Returns a record with little-endian fields of `width` bytes at their offsets. */
function record(length: number, fields: [width: 2 | 4, at: number, value: number][]): Uint8Array {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  for (const [width, at, value] of fields) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
  }
  return bytes
}
