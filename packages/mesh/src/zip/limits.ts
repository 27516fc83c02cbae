/**
 * Limits for archives. Every number in a ZIP comes from its sender, so every number is checked before it is
 * used.
 */
export type ZipLimits = {
  /** Maximum number of files and folders together. */
  maxEntries: number
  /** Maximum unpacked size of one file. */
  maxEntryBytes: number
  /** Maximum unpacked size of all files together. */
  maxTotalBytes: number
}

export const MIB = 1024 * 1024

export const DEFAULT_ZIP_LIMITS: ZipLimits = {
  maxEntries: 4096,
  maxEntryBytes: 1024 * MIB,
  maxTotalBytes: 2048 * MIB,
}

/**
 * Returns the limits for archives, which depend on the maximum size of an upload. One unpacked file may be as large as
 * an upload. All files together may be twice as large, or have the default size if that is more, because many small
 * files do no harm.
 */
export const zipLimitsFor = (uploadLimitBytes: number): ZipLimits => ({
  ...DEFAULT_ZIP_LIMITS,
  maxEntryBytes: uploadLimitBytes,
  maxTotalBytes: Math.max(DEFAULT_ZIP_LIMITS.maxTotalBytes, 2 * uploadLimitBytes),
})

/**
 * Returns the limits for the parts of a single model that is an archive, such as a 3MF. Its parts may unpack to more
 * than the maximum size of an upload.
 */
export const packageLimitsFor = (uploadLimitBytes: number): ZipLimits => ({
  ...zipLimitsFor(uploadLimitBytes),
  maxEntryBytes: Math.max(DEFAULT_ZIP_LIMITS.maxEntryBytes, uploadLimitBytes),
})

/** Limits for archives that were accepted under earlier limits, which may have been higher. */
export const ACCEPTED_ZIP_LIMITS: ZipLimits = {
  ...DEFAULT_ZIP_LIMITS,
  maxEntryBytes: Number.MAX_SAFE_INTEGER,
  maxTotalBytes: Number.MAX_SAFE_INTEGER,
}

/**
 * Maximum ratio of unpacked to packed size. Text that repeats triangles has a ratio of at most 50; a zip bomb
 * has about 1,000.
 */
export const MAX_RATIO = 200
/** Files that unpack to at most this size may have any ratio. */
export const RATIO_FREE_BYTES = 16 * MIB
/** Maximum size of the central directory. It is enough for 4,096 entries with long names and extra fields. */
export const MAX_DIRECTORY_BYTES = 4 * MIB
export const MAX_NAME_BYTES = 512
