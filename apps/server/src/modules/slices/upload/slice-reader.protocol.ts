import type { SlicedFile } from '@pegasus/mesh/gcode/sliced-file'
import type { Rejection } from '@pegasus/mesh/types'

/** Request to a worker that reads sliced files. */
export interface SliceReadRequest {
  path: string
  /** Limits what an archive may unpack to. */
  uploadLimitBytes: number
}

/** Answer of the worker: values, never exceptions, so that a bad file cannot look like a broken worker. */
export type SliceReadResult = SlicedFile | Rejection
