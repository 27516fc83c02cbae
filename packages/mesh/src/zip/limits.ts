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

/**
 * What archives may hold where an upload may have so many bytes. A file in an archive may be as large, unpacked, as one
 * that is uploaded by itself; all of them together twice that, and never less than the default, since many small files
 * are no harm where single ones are kept small.
 */
export const zipLimitsFor = (uploadLimitBytes: number): ZipLimits => ({
  ...DEFAULT_ZIP_LIMITS,
  maxEntryBytes: uploadLimitBytes,
  maxTotalBytes: Math.max(DEFAULT_ZIP_LIMITS.maxTotalBytes, 2 * uploadLimitBytes),
})

/** The same for the parts of a single model, such as a 3MF, which unpack to more than the file that was uploaded. */
export const packageLimitsFor = (uploadLimitBytes: number): ZipLimits => ({
  ...zipLimitsFor(uploadLimitBytes),
  maxEntryBytes: Math.max(DEFAULT_ZIP_LIMITS.maxEntryBytes, uploadLimitBytes),
})

/** For what was accepted under the limits of its day: those on sizes may have become lower since. */
export const ACCEPTED_ZIP_LIMITS: ZipLimits = {
  ...DEFAULT_ZIP_LIMITS,
  maxEntryBytes: Number.MAX_SAFE_INTEGER,
  maxTotalBytes: Number.MAX_SAFE_INTEGER,
}

/** Text of repeated triangles packs to a fiftieth at most; a thousandth is what a bomb looks like. */
export const MAX_RATIO = 200
/** Small files may pack as well as they like. */
export const RATIO_FREE_BYTES = 16 * MIB
/** Room for 4,096 entries with long names and extra fields. */
export const MAX_DIRECTORY_BYTES = 4 * MIB
export const MAX_NAME_BYTES = 512
