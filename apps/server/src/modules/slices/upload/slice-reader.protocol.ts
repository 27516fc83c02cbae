import type { SlicedFile } from '@pegasus/mesh/gcode/sliced-file'
import type { Rejection } from '@pegasus/mesh/types'

/** A request to a worker that reads sliced files. */
export interface SliceReadRequest {
  path: string
  /** Upload limit in bytes, which also limits the unpacked size of an archive. */
  uploadLimitBytes: number
}

/**
 * Results of the worker. A bad file results in a rejection instead of an exception, so that it is never
 * mistaken for a broken worker.
 */
export type SliceReadResult = SlicedFile | Rejection
