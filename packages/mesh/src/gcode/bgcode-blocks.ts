import { RejectionError } from '../rejection-error.ts'

/** Binary G-code as Prusa's libbgcode specifies it: a file header, then blocks. Numbers are little-endian. */
export const BGCODE_HEADER_BYTES = 10
/**
 * Size of the header of a compressed block. The header of an uncompressed block is shorter, because it has no
 * compressed size.
 */
export const MAX_BLOCK_HEADER_BYTES = 12
export const CHECKSUM_BYTES = 4

export const BLOCK_TYPES = {
  fileMetadata: 0,
  gcode: 1,
  slicerMetadata: 2,
  printerMetadata: 3,
  printMetadata: 4,
  thumbnail: 5,
} as const
export const COMPRESSIONS = { none: 0, deflate: 1, heatshrink11: 2, heatshrink12: 3 } as const

export type BgcodeBlock = {
  type: number
  compression: number
  /** Size of the uncompressed data. */
  sizeBytes: number
  packedBytes: number
  headerBytes: number
  parameterBytes: number
}

export const CUT_OFF =
  'The binary G-code is incomplete or damaged. Export it again, and upload the complete file.'
const NEWER = 'This binary G-code has a newer format, which is not supported yet. Export it as plain G-code.'

/** Returns whether a file begins like binary G-code. */
export const isBgcode = (prefix: Uint8Array): boolean =>
  prefix[0] === 0x47 && prefix[1] === 0x43 && prefix[2] === 0x44 && prefix[3] === 0x45

/** Reads the file header. Returns the size of the checksum after each block. Throws RejectionError. */
export function readBgcodeHeader(bytes: Uint8Array): { checksumBytes: number } {
  if (bytes.length < BGCODE_HEADER_BYTES) throw new RejectionError('truncated', CUT_OFF)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const checksum = view.getUint16(8, true)
  if (view.getUint32(4, true) !== 1 || checksum > 1) throw new RejectionError('bad-syntax', NEWER)
  return { checksumBytes: checksum === 1 ? CHECKSUM_BYTES : 0 }
}

/** Reads the header of a block. The parameters and the data of the block follow it. Throws RejectionError. */
export function readBlockHeader(bytes: Uint8Array): BgcodeBlock {
  if (bytes.length < 8) throw new RejectionError('truncated', CUT_OFF)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [type, compression, sizeBytes] = [
    view.getUint16(0, true),
    view.getUint16(2, true),
    view.getUint32(4, true),
  ]
  if (type > BLOCK_TYPES.thumbnail || compression > COMPRESSIONS.heatshrink12)
    throw new RejectionError('bad-syntax', NEWER)
  const isPacked = compression !== COMPRESSIONS.none
  if (isPacked && bytes.length < MAX_BLOCK_HEADER_BYTES) throw new RejectionError('truncated', CUT_OFF)
  return {
    type,
    compression,
    sizeBytes,
    packedBytes: isPacked ? view.getUint32(8, true) : sizeBytes,
    headerBytes: isPacked ? MAX_BLOCK_HEADER_BYTES : 8,
    parameterBytes: type === BLOCK_TYPES.thumbnail ? 6 : 2,
  }
}
