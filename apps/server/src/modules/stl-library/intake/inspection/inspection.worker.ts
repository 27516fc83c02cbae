import { open } from 'node:fs/promises'
import type { ModelMetadata as MeshMetadata } from '@pegasus/mesh/threemf/metadata'
import { openFileSource } from '@pegasus/mesh/file-source'
import { createObjDecoder } from '@pegasus/mesh/obj-decoder'
import { settle } from '@pegasus/mesh/refusal'
import type { Rejection } from '@pegasus/mesh/stl-types'
import { findParts, is3mf } from '@pegasus/mesh/threemf/package'
import { read3mf } from '@pegasus/mesh/threemf/read-3mf'
import { DEFAULT_ZIP_LIMITS } from '@pegasus/mesh/zip/limits'
import { openZip, type ZipArchive } from '@pegasus/mesh/zip/open-zip'
import type { ModelMetadata } from '@pegasus/contracts/stl-files'
import { listEntries } from './list-entries.ts'
import type { InspectionRequest, InspectionResult } from './inspection.protocol.ts'

const CHUNK_BYTES = 1024 * 1024

/** Reads a received file that is more than a stream of triangles. Runs in a worker thread. */
export default async function inspect(request: InspectionRequest): Promise<InspectionResult> {
  return request.format === 'obj' ? inspectObj(request.path) : inspectZip(request)
}

const refuse = (kind: 'model' | 'archive', { message }: Rejection): InspectionResult => ({
  ok: false,
  kind,
  message,
})

const ignore = (): void => undefined

async function inspectObj(path: string): Promise<InspectionResult> {
  const decoder = createObjDecoder(ignore)
  const file = await open(path)
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null)
      if (bytesRead === 0) break
      const rejection = decoder.push(chunk.subarray(0, bytesRead))
      if (rejection) return refuse('model', rejection)
    }
  } finally {
    await file.close()
  }
  const verdict = decoder.finish()
  if (!verdict.ok) return refuse('model', verdict)
  const { triangles, warnings } = verdict
  const nothing = { metadata: null, hasSlicerCommand: false }
  return { ok: true, kind: 'model', format: 'obj', triangles, warnings, ...nothing }
}

async function inspectZip({ path, maxEntryBytes }: InspectionRequest): Promise<InspectionResult> {
  const source = await openFileSource(path)
  try {
    const limits = { ...DEFAULT_ZIP_LIMITS, maxEntryBytes }
    const archive = await settle(async () => ({ ok: true as const, ...(await openZip(source, limits)) }))
    if (!archive.ok) return refuse('archive', archive)
    if (is3mf(archive)) return await inspect3mf(archive)
    const listed = await settle(async () => ({ ok: true as const, entries: await listEntries(archive) }))
    return listed.ok ? { ok: true, kind: 'archive', entries: listed.entries } : refuse('archive', listed)
  } finally {
    await source.close()
  }
}

async function inspect3mf(archive: ZipArchive): Promise<InspectionResult> {
  const found = await settle(async () => read3mf(await findParts(archive), ignore))
  if (!found.ok) return refuse('model', found)
  const { triangles, warnings, slicerCommands } = found
  const metadata = metadataOf(found.metadata)
  const hasSlicerCommand = slicerCommands.length > 0
  return { ok: true, kind: 'model', format: '3mf', triangles, warnings, metadata, hasSlicerCommand }
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
