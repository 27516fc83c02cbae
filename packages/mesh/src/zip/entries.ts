import { RejectionError } from '../rejection-error.ts'
import { DAMAGED, type Directory, readUint64 } from './central-directory.ts'
import { decodeEntryName, printableName } from './entry-name.ts'
import { MAX_RATIO, RATIO_FREE_BYTES, type ZipLimits } from './limits.ts'

export const ENTRY_SIGNATURE = 0x02014b50
export const ENTRY_BYTES = 46
export const LOCAL_BYTES = 30
const LONG_FIELD = 0x0001
const UNIX_SYSTEMS = new Set([3, 19])
const UNIX_FILE = 0x8
const UNIX_FOLDER = 0x4
/** Flags of entries that are encrypted, strongly encrypted, or have masked headers. */
const ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000

/** One file in an archive, as the central directory describes it. */
export type ZipEntry = {
  /** The name of the file. It is text to show, never a path to write to. */
  name: string
  isFolder: boolean
  sizeBytes: number
  packedBytes: number
  crc32: number
  /** The compression method: 0 is stored, 8 is deflated. Other methods cannot be read. */
  method: number
  /** `offset` is the position of the file's local header. `limit` is the position before which its data must end. */
  offset: number
  limit: number
  /** The file's record in the central directory, unchanged. */
  record: Uint8Array
}

/** Parses the central directory. Throws RejectionError for every mistake in it. */
export function readEntries(directory: Directory, limits: ZipLimits): ZipEntry[] {
  const { bytes } = directory
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries: ZipEntry[] = []
  let at = 0
  while (at < bytes.length) {
    const isEntry = at + ENTRY_BYTES <= bytes.length && view.getUint32(at, true) === ENTRY_SIGNATURE
    if (!isEntry || entries.length === directory.entries) throw new RejectionError('bad-archive', DAMAGED)
    const length =
      ENTRY_BYTES +
      view.getUint16(at + 28, true) +
      view.getUint16(at + 30, true) +
      view.getUint16(at + 32, true)
    if (at + length > bytes.length) throw new RejectionError('bad-archive', DAMAGED)
    entries.push(readEntry(bytes.subarray(at, at + length)))
    at += length
  }
  if (entries.length !== directory.entries) throw new RejectionError('bad-archive', DAMAGED)
  checkNames(entries)
  checkSizes(entries, limits)
  checkPlaces(entries, directory.offset)
  return entries
}

function readEntry(record: Uint8Array): ZipEntry {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength)
  const nameLength = view.getUint16(28, true)
  const name = decodeEntryName(record.subarray(ENTRY_BYTES, ENTRY_BYTES + nameLength))
  if ((view.getUint16(8, true) & ENCRYPTED_FLAGS) !== 0) {
    throw new RejectionError(
      'protected',
      `"${printableName(name)}" is protected by a password. Pack the files without a password.`,
    )
  }
  const mode = view.getUint32(38, true) >>> 28
  const isUnix = UNIX_SYSTEMS.has(view.getUint8(5))
  if (isUnix && mode !== 0 && mode !== UNIX_FILE && mode !== UNIX_FOLDER) {
    const remedy = 'Pack the file itself instead.'
    throw new RejectionError('unsafe-archive', `"${printableName(name)}" is a link, not a file. ${remedy}`)
  }
  const sizes = readSizes(view, ENTRY_BYTES + nameLength)
  return {
    name,
    isFolder: name.endsWith('/'),
    ...sizes,
    crc32: view.getUint32(16, true),
    method: view.getUint16(10, true),
    limit: 0,
    record,
  }
}

/**
 * Reads the sizes and the offset. A value whose 32-bit field is 0xFFFFFFFF is in the ZIP64 field instead
 * (APPNOTE 4.5.3).
 */
function readSizes(view: DataView, extraAt: number) {
  const sizes = {
    sizeBytes: view.getUint32(24, true),
    packedBytes: view.getUint32(20, true),
    offset: view.getUint32(42, true),
  }
  const extraEnd = extraAt + view.getUint16(30, true)
  for (let at = extraAt; at + 4 <= extraEnd; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== LONG_FIELD) continue
    let next = at + 4
    const end = Math.min(extraEnd, next + view.getUint16(at + 2, true))
    for (const key of ['sizeBytes', 'packedBytes', 'offset'] as const) {
      if (sizes[key] !== 0xffffffff) continue
      if (next + 8 > end) throw new RejectionError('bad-archive', DAMAGED)
      sizes[key] = readUint64(view, next)
      next += 8
    }
    break
  }
  return sizes
}

/**
 * Throws RejectionError if two files have the same name, because programs disagree about which of them they
 * read.
 */
function checkNames(entries: ZipEntry[]) {
  const seen = new Set<string>()
  for (const { name } of entries) {
    if (seen.has(name)) {
      const remedy = 'Give each file its own name.'
      throw new RejectionError(
        'unsafe-archive',
        `The archive contains "${printableName(name)}" twice. ${remedy}`,
      )
    }
    seen.add(name)
  }
}

function checkSizes(entries: ZipEntry[], limits: ZipLimits) {
  let total = 0
  for (const { name, sizeBytes, packedBytes, method, isFolder } of entries) {
    total += sizeBytes
    if (sizeBytes > limits.maxEntryBytes || total > limits.maxTotalBytes) {
      throw new RejectionError(
        'too-large',
        `"${printableName(name)}" is too large once unpacked. Upload fewer or smaller files.`,
      )
    }
    if (sizeBytes > RATIO_FREE_BYTES && sizeBytes > MAX_RATIO * packedBytes) {
      const remedy = 'If you trust the file, upload it without an archive.'
      throw new RejectionError(
        'unsafe-archive',
        `"${printableName(name)}" would unpack to far more data than expected. ${remedy}`,
      )
    }
    if ((method === 0 && sizeBytes !== packedBytes) || (isFolder && sizeBytes > 0)) {
      throw new RejectionError('bad-archive', DAMAGED)
    }
  }
}

/**
 * Throws RejectionError if entries share bytes, because a small file with such entries can unpack to
 * petabytes (D. Fifield, "A better zip bomb", 2019).
 */
function checkPlaces(entries: ZipEntry[], directoryOffset: number) {
  const inOrder = entries.toSorted((a, b) => a.offset - b.offset)
  for (const [i, entry] of inOrder.entries()) {
    const nameLength = new DataView(entry.record.buffer, entry.record.byteOffset).getUint16(28, true)
    entry.limit = inOrder[i + 1]?.offset ?? directoryOffset
    if (entry.offset + LOCAL_BYTES + nameLength + entry.packedBytes > entry.limit) {
      throw new RejectionError('unsafe-archive', `Files of the archive overlap. ${DAMAGED}`)
    }
  }
}
