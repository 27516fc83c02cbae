import type { ModelMetadata } from '@pegasus/contracts/stl-files'
import { openArchive } from '@pegasus/mesh/archive'
import type { ByteSource } from '@pegasus/mesh/byte-source'
import { openFileSource } from '@pegasus/mesh/file-source'
import { type ModelMetadata as MeshMetadata, findFormat, readModel } from '@pegasus/mesh/read-model'
import type { Rejection } from '@pegasus/mesh/stl-types'
import { DEFAULT_ZIP_LIMITS } from '@pegasus/mesh/zip/limits'
import type { FoundEntry, InspectionRequest, InspectionResult } from './inspection.protocol.ts'

/** What file managers leave in archives: nobody packed it on purpose. */
const JUNK = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)/i

/** Reads a received file that is more than a stream of triangles. Runs in a worker thread. */
export default async function inspect(request: InspectionRequest): Promise<InspectionResult> {
  const source = await openFileSource(request.path)
  try {
    const found = await findFormat(source)
    if (!found.ok) return refuse(request.format === 'zip' ? 'archive' : 'model', found)
    if (found.format === 'zip') return await inspectArchive(source, request)
    return await inspectModel(source)
  } finally {
    await source.close()
  }
}

const refuse = (kind: 'model' | 'archive', { message }: Rejection): InspectionResult => ({
  ok: false,
  kind,
  message,
})

async function inspectModel(source: ByteSource): Promise<InspectionResult> {
  const found = await readModel(source, () => undefined)
  if (!found.ok) return refuse('model', found)
  const { format, triangles, warnings, slicerCommands } = found
  if (format === 'stl') throw new Error('An STL is read while it arrives.')
  const metadata = metadataOf(found.metadata)
  const slicerParts = slicerCommands.map(({ part }) => part)
  return { ok: true, kind: 'model', format, triangles, warnings, metadata, slicerParts }
}

async function inspectArchive(
  source: ByteSource,
  { maxEntryBytes }: InspectionRequest,
): Promise<InspectionResult> {
  const archive = await openArchive(source, { ...DEFAULT_ZIP_LIMITS, maxEntryBytes })
  if (!archive.ok) return refuse('archive', archive)
  const entries = archive.entries.map(
    ({ name, sizeBytes, format }, index): FoundEntry => ({ index, name, sizeBytes, format }),
  )
  return { ok: true, kind: 'archive', entries: entries.filter(({ name }) => !JUNK.test(name)) }
}

function metadataOf(said: MeshMetadata): ModelMetadata | null {
  const metadata = {
    title: said.title ?? null,
    designer: said.designer ?? null,
    description: said.description ?? null,
    license_terms: said.licenseTerms ?? null,
    application: said.application ?? null,
  }
  return Object.values(metadata).every((text) => text === null) ? null : metadata
}
