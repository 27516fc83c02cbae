import { type ByteSource, readBytes } from './byte-source.ts'
import { sniffModel } from './model-sniffer.ts'
import { catchRejection } from './rejection-error.ts'
import { SNIFFED_BYTES } from './stl/stl-sniffer.ts'
import { type ModelPart, type Rejection, reject, type StlEncoding, type TriangleSink } from './types.ts'
import { createStreamedReader } from './read-streamed-model.ts'
import { findParts, is3mf } from './threemf/package.ts'
import { type Summary3mf, read3mf } from './threemf/read-3mf.ts'
import type { SlicerCommand } from './threemf/slicer-commands.ts'
import { DEFAULT_ZIP_LIMITS, type ZipLimits } from './zip/limits.ts'
import { openZip } from './zip/open-zip.ts'

export type { ModelMetadata } from './threemf/metadata.ts'
export type { EmbeddedPicture } from './threemf/thumbnail.ts'
export type { SlicerCommand } from './threemf/slicer-commands.ts'

export type ModelFormat = 'stl' | 'obj' | '3mf'

/**
 * Result of reading a valid model. The sink has received its triangles, in millimeters if the format has
 * units.
 */
export type ModelSummary = Omit<Summary3mf, 'format' | 'parts' | 'slicerCommands'> & {
  format: ModelFormat
  /** Encoding of an STL. An OBJ is always `ascii`; for a 3MF, it is null. */
  encoding: StlEncoding | null
  /** Named objects. The list is empty for an STL. */
  parts: ModelPart[]
  /** If the list is not empty, serve only the copy made by `sanitize3mf`. */
  slicerCommands: SlicerCommand[]
}

const CHUNK_BYTES = 1024 * 1024

/**
 * Detects a model's format from its content, or returns why it is not a model. `zip` means an archive that is
 * not a 3MF; see `openArchive`.
 */
export function findFormat(
  source: ByteSource,
  limits: ZipLimits = DEFAULT_ZIP_LIMITS,
): Promise<{ ok: true; format: ModelFormat | 'zip' } | Rejection> {
  return catchRejection(async () => {
    const sniffed = sniffModel(await readBytes(source, 0, SNIFFED_BYTES))
    if (typeof sniffed !== 'string') return sniffed
    if (sniffed !== 'zip') return { ok: true as const, format: sniffed === 'obj' ? sniffed : 'stl' }
    return { ok: true as const, format: is3mf(await openZip(source, limits)) ? '3mf' : 'zip' }
  })
}

/**
 * Reads a model of any supported format and passes its triangles to `sink`, once and in order. Memory is
 * constant for STL. It grows with the corners for OBJ, and with corners and triangles for 3MF. After a
 * rejection, discard everything that the sink has received. Throws only the source's errors. `limits` apply
 * to the parts of a 3MF.
 */
export function readModel(
  source: ByteSource,
  sink: TriangleSink,
  limits: ZipLimits = DEFAULT_ZIP_LIMITS,
): Promise<ModelSummary | Rejection> {
  return catchRejection(async () => {
    const streamed = await readStreamed(source, sink)
    if (!streamed.ok) return streamed
    const plain = { metadata: {}, picture: null, slicerCommands: [] }
    if (streamed.format !== 'zip') return { ...plain, ...streamed }
    const archive = await openZip(source, limits)
    if (!is3mf(archive)) {
      return reject('is-archive', 'This is a ZIP archive, not a single model. Choose the files to import.')
    }
    return { encoding: null, ...(await read3mf(await findParts(archive), sink)) }
  })
}

/**
 * Reads a file from front to back with one buffer for all chunks, so that the whole file is never in memory.
 * Stops after the first chunk if the file is an archive.
 */
async function readStreamed(source: ByteSource, sink: TriangleSink) {
  const reader = createStreamedReader(sink)
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(1, source.sizeBytes)))
  for (let offset = 0; ; ) {
    const read = await source.read(chunk, offset)
    if (read === 0) return reader.finish()
    const isArchive = offset === 0 && sniffModel(chunk.subarray(0, Math.min(read, SNIFFED_BYTES))) === 'zip'
    if (isArchive) return { ok: true as const, format: 'zip' as const }
    offset += read
    const rejection = reader.push(chunk.subarray(0, read))
    if (rejection) return rejection
  }
}
