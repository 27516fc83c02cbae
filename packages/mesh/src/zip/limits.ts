/** Limits for archives. Every figure in a ZIP comes from its sender, so none is used unchecked. */
export type ZipLimits = {
  /** Files and folders together. */
  maxEntries: number
  /** Unpacked size of one file. */
  maxEntryBytes: number
  /** Unpacked size of all files together. */
  maxTotalBytes: number
}

export const MIB = 1024 * 1024

export const DEFAULT_ZIP_LIMITS: ZipLimits = {
  maxEntries: 4096,
  maxEntryBytes: 1024 * MIB,
  maxTotalBytes: 2048 * MIB,
}

/**
 * The limits for archives when uploads have this limit. An unpacked file may be as large as an upload; all together
 * may have twice that, and at least the default, because many small files do no harm.
 */
export const zipLimitsFor = (uploadLimitBytes: number): ZipLimits => ({
  ...DEFAULT_ZIP_LIMITS,
  maxEntryBytes: uploadLimitBytes,
  maxTotalBytes: Math.max(DEFAULT_ZIP_LIMITS.maxTotalBytes, 2 * uploadLimitBytes),
})

/** The same for the parts of a single model, such as a 3MF, which unpack to more than the uploaded file. */
export const packageLimitsFor = (uploadLimitBytes: number): ZipLimits => ({
  ...zipLimitsFor(uploadLimitBytes),
  maxEntryBytes: Math.max(DEFAULT_ZIP_LIMITS.maxEntryBytes, uploadLimitBytes),
})

/** For archives that were accepted under earlier limits, which may have been higher. */
export const ACCEPTED_ZIP_LIMITS: ZipLimits = {
  ...DEFAULT_ZIP_LIMITS,
  maxEntryBytes: Number.MAX_SAFE_INTEGER,
  maxTotalBytes: Number.MAX_SAFE_INTEGER,
}

/** Text of repeated triangles packs to a fiftieth at most. A thousandth means a zip bomb. */
export const MAX_RATIO = 200
/** Small files may have any ratio. */
export const RATIO_FREE_BYTES = 16 * MIB
/** Enough for 4,096 entries with long names and extra fields. */
export const MAX_DIRECTORY_BYTES = 4 * MIB
export const MAX_NAME_BYTES = 512
