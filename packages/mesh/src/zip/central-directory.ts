import { type ByteSource, readBytes } from '../byte-source.ts'
import { RejectionError } from '../rejection-error.ts'
import { formatCount } from '../types.ts'
import { MAX_DIRECTORY_BYTES, type ZipLimits } from './limits.ts'

export const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const LOCATOR_BYTES = 20
const END_64_BYTES = 56
export const END_SIGNATURE = 0x06054b50
const LOCATOR_SIGNATURE = 0x07064b50
const END_64_SIGNATURE = 0x06064b50

export const DAMAGED = 'The archive is damaged or incomplete. Pack or upload it again.'

/** The position of the central directory, and the number of its entries. */
export type Directory = { bytes: Uint8Array; offset: number; entries: number }

/**
 * Finds the central directory (APPNOTE 4.3.12 to 4.3.16, ZIP64 included). It must end exactly where the record begins
 * that points to it. This refuses an archive with another file before it or another directory after it, in which two
 * programs could see different archives.
 */
export async function readDirectory(source: ByteSource, limits: ZipLimits): Promise<Directory> {
  const tail = await readBytes(
    source,
    Math.max(0, source.sizeBytes - END_BYTES - MAX_COMMENT_BYTES - LOCATOR_BYTES),
    END_BYTES + MAX_COMMENT_BYTES + LOCATOR_BYTES,
  )
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  const at = findEnd(view)
  if (at < 0) throw new RejectionError('bad-archive', DAMAGED)
  const tailStart = source.sizeBytes - tail.length
  const short = {
    disks: view.getUint16(at + 4, true) + view.getUint16(at + 6, true),
    entries: view.getUint16(at + 10, true),
    size: view.getUint32(at + 12, true),
    offset: view.getUint32(at + 16, true),
    end: tailStart + at,
  }
  const needsLong = short.entries === 0xffff || short.size === 0xffffffff || short.offset === 0xffffffff
  const hasLong = at >= LOCATOR_BYTES && view.getUint32(at - LOCATOR_BYTES, true) === LOCATOR_SIGNATURE
  const endRecord =
    hasLong && needsLong ? await readLongEnd(source, view, at - LOCATOR_BYTES, tailStart) : short
  if (endRecord.disks > 0) {
    throw new RejectionError(
      'bad-archive',
      'The archive is one of several volumes. Pack it as a single file.',
    )
  }
  if (endRecord.entries > limits.maxEntries || endRecord.size > MAX_DIRECTORY_BYTES) {
    throw new RejectionError(
      'too-large',
      `The archive contains more than ${formatCount(limits.maxEntries)} files. Upload fewer files at once.`,
    )
  }
  if (endRecord.offset + endRecord.size !== endRecord.end) throw new RejectionError('bad-archive', DAMAGED)
  const bytes = await readBytes(source, endRecord.offset, endRecord.size)
  return { bytes, offset: endRecord.offset, entries: endRecord.entries }
}

/**
 * Returns the position of the last end record whose comment ends exactly at the end of the file, or −1. All programs
 * use this record.
 */
function findEnd(view: DataView): number {
  for (let at = view.byteLength - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue
    if (at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength) return at
  }
  return -1
}

async function readLongEnd(source: ByteSource, tail: DataView, locatorAt: number, tailStart: number) {
  const end = readUint64(tail, locatorAt + 8)
  const bytes = await readBytes(source, end, END_64_BYTES)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < END_64_BYTES || view.getUint32(0, true) !== END_64_SIGNATURE) {
    throw new RejectionError('bad-archive', DAMAGED)
  }
  const isAdjacent = end + 12 + readUint64(view, 4) === tailStart + locatorAt
  if (!isAdjacent) throw new RejectionError('bad-archive', DAMAGED)
  return {
    disks: view.getUint32(16, true) + view.getUint32(20, true),
    entries: readUint64(view, 32),
    size: readUint64(view, 40),
    offset: readUint64(view, 48),
    end,
  }
}

/**
 * Reads a 64-bit number. Throws RejectionError if a double cannot represent it exactly, because no valid size
 * is that large.
 */
export function readUint64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RejectionError('bad-archive', DAMAGED)
  return Number(value)
}
