import type { MeshWarning, ModelPart, TriangleSink } from '../types.ts'
import { assemble, leftOutMessage } from './assemble.ts'
import { loadParts } from './load-parts.ts'
import type { ModelMetadata } from './metadata.ts'
import type { Package3mf } from './package.ts'
import { type EmbeddedPicture, readPicture } from './thumbnail.ts'
import { findSlicerCommands, type SlicerCommand } from './slicer-commands.ts'

/** The result for a valid 3MF. Its triangles have gone to the sink in millimeters. */
export type Summary3mf = {
  ok: true
  format: '3mf'
  triangles: number
  /** One part for each item on the plate, in order. At most the first thousand are listed. */
  parts: ModelPart[]
  metadata: ModelMetadata
  picture: EmbeddedPicture | null
  slicerCommands: SlicerCommand[]
  warnings: MeshWarning[]
}

/** Prefixes of extensions that add colors, names or a way to split a file, but no geometry. */
const HARMLESS_EXTENSIONS = new Set(['p', 'm', 't', 's', 'BambuStudio', 'slic3rpe'])

/** Reads a 3MF and passes its triangles to `sink`, in their positions on the plate. Throws RejectionError. */
export async function read3mf(file: Package3mf, sink: TriangleSink): Promise<Summary3mf> {
  const loaded = await loadParts(file)
  const { triangles, parts, leftOut, emit } = assemble(loaded, file.archive.source.sizeBytes)
  const slicerCommands = await findSlicerCommands(file.archive)
  emit(sink)
  const warnings: MeshWarning[] = slicerCommands.map(({ part }) => ({
    code: 'slicer-command',
    message: `"${part}" makes slicers run a program on the computer: downloads do not contain its settings`,
  }))
  if (leftOut > 0) warnings.push({ code: 'left-out', message: leftOutMessage(leftOut) })
  const unknown = loaded.root.required.filter((prefix) => !HARMLESS_EXTENSIONS.has(prefix))
  if (unknown.length > 0) {
    const message = 'The file uses a 3MF extension that is not supported: parts of the model may be missing'
    warnings.push({ code: 'left-out', message })
  }
  const picture = await readPicture(file)
  const { metadata } = loaded.root
  return { ok: true, format: '3mf', triangles, parts, metadata, picture, slicerCommands, warnings }
}
