import { createHash } from 'node:crypto'
import type { ModelMetadata } from '@pegasus/contracts/stl-library/models'
import { openArchive } from '@pegasus/mesh/zip/archive'
import type { ByteSource } from '@pegasus/mesh/byte-source'
import { openFileSource } from '@pegasus/mesh/file-source'
import { type ModelMetadata as MeshMetadata, findFormat, readModel } from '@pegasus/mesh/read-model'
import { catchRejection } from '@pegasus/mesh/rejection-error'
import type { Rejection } from '@pegasus/mesh/types'
import { ACCEPTED_ZIP_LIMITS, packageLimitsFor, type ZipLimits, zipLimitsFor } from '@pegasus/mesh/zip/limits'
import { type OpenEntry, type ZipArchive, openZip } from '@pegasus/mesh/zip/open-zip'
import { readEntryBytes } from '@pegasus/mesh/zip/read-entry'
import type {
  DigestRequest,
  FileDigest,
  FoundEntry,
  InspectionRequest,
  InspectionResult,
  ReadRequest,
} from './inspection.protocol.ts'

/** Matches files that file managers add to archives by themselves. */
const JUNK = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)/i

/**
 * Reads a received file that is not a plain stream of triangles, or hashes the files inside it. Runs in a
 * worker thread.
 */
export default async function inspect(request: InspectionRequest): Promise<InspectionResult | FileDigest[]> {
  const source = await openFileSource(request.path)
  try {
    return request.work === 'read' ? await readReceived(source, request) : await digestFiles(source, request)
  } finally {
    await source.close()
  }
}

async function readReceived(source: ByteSource, request: ReadRequest): Promise<InspectionResult> {
  const limits = packageLimitsFor(request.uploadLimitBytes)
  const found = await findFormat(source, limits)
  if (!found.ok) return refuse(request.format === 'zip' ? 'archive' : 'model', found)
  return found.format === 'zip' ? inspectArchive(source, request) : inspectModel(source, limits)
}

/** Hashes files of an archive. Entries that cannot be unpacked are left out. */
async function digestFiles(source: ByteSource, { indexes }: DigestRequest): Promise<FileDigest[]> {
  const archive = await openZip(source, ACCEPTED_ZIP_LIMITS)
  const files = archive.entries.filter((entry) => !entry.isFolder)
  const digests: FileDigest[] = []
  for (const index of indexes) {
    const file = files[index]
    const digested = file && (await catchRejection(() => digestOf(archive, file)))
    if (digested?.ok) digests.push({ index, sha256: digested.sha256 })
  }
  return digests
}

async function digestOf(archive: ZipArchive, file: OpenEntry): Promise<{ ok: true; sha256: string }> {
  const hash = createHash('sha256')
  for await (const chunk of readEntryBytes(archive, file)) hash.update(chunk)
  return { ok: true, sha256: hash.digest('hex') }
}

const refuse = (kind: 'model' | 'archive', { message }: Rejection): InspectionResult => ({
  ok: false,
  kind,
  message,
})

async function inspectModel(source: ByteSource, limits: ZipLimits): Promise<InspectionResult> {
  const found = await readModel(source, () => undefined, limits)
  if (!found.ok) return refuse('model', found)
  const { format, triangles, warnings, slicerCommands } = found
  if (format === 'stl') throw new Error('An STL is read while it arrives.')
  const metadata = metadataOf(found.metadata)
  const slicerParts = slicerCommands.map(({ part }) => part)
  return { ok: true, kind: 'model', format, triangles, warnings, metadata, slicerParts }
}

async function inspectArchive(
  source: ByteSource,
  { uploadLimitBytes }: ReadRequest,
): Promise<InspectionResult> {
  const archive = await openArchive(source, zipLimitsFor(uploadLimitBytes))
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
