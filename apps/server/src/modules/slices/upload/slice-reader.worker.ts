import { openFileSource } from '@pegasus/mesh/file-source'
import { readSlicedFile } from '@pegasus/mesh/gcode/read-sliced-file'
import { packageLimitsFor } from '@pegasus/mesh/zip/limits'
import type { SliceReadRequest, SliceReadResult } from './slice-reader.protocol.ts'

/** Reads a received file. Runs in a worker thread. */
export default async function readSlice({
  path,
  uploadLimitBytes,
}: SliceReadRequest): Promise<SliceReadResult> {
  const source = await openFileSource(path)
  try {
    return await readSlicedFile(source, packageLimitsFor(uploadLimitBytes))
  } finally {
    await source.close()
  }
}
