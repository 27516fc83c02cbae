import type { ModelFormat, ModelMetadata } from '@pegasus/contracts/stl-library/models'
import { openFileSource } from '@pegasus/mesh/file-source'
import { sniffModel } from '@pegasus/mesh/model-sniffer'
import { catchRejection } from '@pegasus/mesh/rejection-error'
import { createSniffingDecoder } from '@pegasus/mesh/sniffing-decoder'
import { type StlInspection, createStlInspector } from '@pegasus/mesh/stl/stl-inspector'
import type { MeshWarning, ModelDecoder } from '@pegasus/mesh/types'
import { copyZip } from '@pegasus/mesh/zip/copy-zip'
import { ACCEPTED_ZIP_LIMITS } from '@pegasus/mesh/zip/limits'
import { openZip } from '@pegasus/mesh/zip/open-zip'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ObjectStorage, PendingObject } from '../../../platform/storage/object-storage.ts'
import type { Inspect } from './inspection/inspection.ts'
import type { FoundEntry, InspectedModel } from './inspection/inspection.protocol.ts'

/**
 * A valid model that is not visible yet. The code that receives this object has to commit or abort its bytes.
 */
export interface ReceivedFile {
  kind: 'model'
  fileName: string
  format: ModelFormat
  encoding: 'binary' | 'ascii' | null
  triangles: number
  warnings: MeshWarning[]
  metadata: ModelMetadata | null
  pending: PendingObject
  /** A copy without the slicer command, or null if the file contains none. */
  clean: PendingObject | null
}

/**
 * An archive that contains at least one model. The code that receives this object has to commit or abort its
 * bytes.
 */
export interface ReceivedArchive {
  kind: 'archive'
  fileName: string
  entries: FoundEntry[]
  pending: PendingObject
}

export type Received = ReceivedFile | ReceivedArchive

/** Discards received bytes that were not committed; committed bytes stay. */
export async function abortReceived(received: Received): Promise<void> {
  await received.pending.abort()
  if (received.kind === 'model') await received.clean?.abort()
}

export interface ReceiveDeps {
  storage: ObjectStorage
  inspect: Inspect
}

/**
 * Streams a file into storage and detects its format from its content alone. STL is checked as it arrives; other
 * formats once they are complete. Throws MODEL_REJECTED, ARCHIVE_REJECTED, or the error of the source. On an error,
 * nothing is left in storage, and the rest of the source is not consumed, so the caller can drain it.
 */
export async function receiveBytes(
  source: AsyncIterable<Uint8Array>,
  options: { fileName: string; signal?: AbortSignal },
  { storage, inspect }: ReceiveDeps,
): Promise<Received> {
  const pending = await storage.begin()
  const { fileName, signal } = options
  try {
    const sniffed = await store(source, pending)
    if (sniffed.format === 'stl') {
      const { encoding, triangles, warnings } = sniffed
      const stl = { kind: 'model', format: 'stl', metadata: null, clean: null } as const
      return { ...stl, fileName, encoding, triangles, warnings, pending }
    }
    const { format } = sniffed
    const inspection = await pending.withLocalFile((path) => inspect({ path, format }, signal))
    if (!inspection.ok)
      throw new AppError(inspection.kind === 'model' ? 'MODEL_REJECTED' : 'ARCHIVE_REJECTED', {
        text: inspection.message,
      })
    if (inspection.kind === 'model') return await describeModel(inspection, fileName, pending, storage)
    if (!inspection.entries.some((entry) => entry.format !== null))
      throw new AppError('ARCHIVE_REJECTED', {
        text: 'This archive contains no STL, 3MF or OBJ file.',
      })
    return { kind: 'archive', fileName, entries: inspection.entries, pending }
  } catch (error) {
    await pending.abort()
    throw error
  }
}

type Sniffed = (StlInspection & { format: 'stl' }) | { ok: true; format: 'obj' | 'zip' }

/** Checks STL while it arrives. Formats that have to be read as a whole are only recognized here. */
const createReceiver = (): ModelDecoder<Sniffed> =>
  createSniffingDecoder<Sniffed>((prefix) => {
    const format = sniffModel(prefix)
    if (typeof format !== 'string') return format
    if (format === 'obj' || format === 'zip')
      return { push: () => null, finish: () => ({ ok: true, format }) }
    const stl = createStlInspector()
    return {
      push: stl.push,
      finish() {
        const verdict = stl.finish()
        return verdict.ok ? { ...verdict, format: 'stl' } : verdict
      },
    }
  })

async function store(source: AsyncIterable<Uint8Array>, pending: PendingObject): Promise<Sniffed> {
  const receiver = createReceiver()
  for await (const chunk of source) {
    const rejection = receiver.push(chunk)
    if (rejection) throw new AppError('MODEL_REJECTED', { text: rejection.message })
    await pending.write(chunk)
  }
  const verdict = receiver.finish()
  if (!verdict.ok) throw new AppError('MODEL_REJECTED', { text: verdict.message })
  return verdict
}

async function describeModel(
  found: InspectedModel,
  fileName: string,
  pending: PendingObject,
  storage: ObjectStorage,
): Promise<ReceivedFile> {
  const { format, triangles, warnings, metadata, slicerParts } = found
  const clean = slicerParts.length > 0 ? await writeCleanCopy(pending, new Set(slicerParts), storage) : null
  return { kind: 'model', fileName, format, encoding: null, triangles, warnings, metadata, pending, clean }
}

/**
 * Writes the copy of a 3MF that is served without its slicer command. A worker has already searched the
 * unpacked settings. This thread serves requests, so it only copies packed bytes.
 */
const writeCleanCopy = (
  pending: PendingObject,
  leftOut: ReadonlySet<string>,
  storage: ObjectStorage,
): Promise<PendingObject> =>
  pending.withLocalFile(async (path) => {
    const clean = await storage.begin('own')
    try {
      const written = await copyWithout(path, leftOut, clean)
      if (!written.ok) throw new AppError('MODEL_REJECTED', { text: written.message })
      return clean
    } catch (error) {
      await clean.abort()
      throw error
    }
  })

async function copyWithout(path: string, leftOut: ReadonlySet<string>, clean: PendingObject) {
  const source = await openFileSource(path)
  try {
    return await catchRejection(async () => {
      const archive = await openZip(source, ACCEPTED_ZIP_LIMITS)
      for await (const chunk of copyZip(archive, (entry) => !leftOut.has(entry.name)))
        await clean.write(chunk)
      return { ok: true as const }
    })
  } finally {
    await source.close()
  }
}
