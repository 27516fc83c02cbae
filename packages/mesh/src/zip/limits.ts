/** How much of an archive is believed. Every figure of a ZIP is the sender's word, so none of them is used unchecked. */
export type ZipLimits = {
  /** Files and folders together. */
  maxEntries: number
  /** Of one file, unpacked. */
  maxEntryBytes: number
  /** Of all files together, unpacked. */
  maxTotalBytes: number
}

const MIB = 1024 * 1024

export const DEFAULT_ZIP_LIMITS: ZipLimits = {
  maxEntries: 4096,
  maxEntryBytes: 1024 * MIB,
  maxTotalBytes: 2048 * MIB,
}

/** Text of repeated triangles packs to a fiftieth at most; a thousandth is what a bomb looks like. */
export const MAX_RATIO = 200
/** Small files may pack as well as they like. */
export const RATIO_FREE_BYTES = 16 * MIB
/** Room for 4,096 entries with long names and extra fields. */
export const MAX_DIRECTORY_BYTES = 4 * MIB
export const MAX_NAME_BYTES = 512
