import type { ModelFormat, ModelMetadata } from '@pegasus/contracts/stl-files'
import type { MeshWarning } from '@pegasus/mesh/stl-types'

/** What an inspection worker is asked: to read a file whose format its first bytes have told. */
export interface InspectionRequest {
  path: string
  format: 'obj' | 'zip'
  /** The most that a file of an archive may unpack to. */
  maxEntryBytes: number
}

/** A file within an archive that may be of interest to somebody. */
export interface FoundEntry {
  /** Its place among the files of the archive. */
  index: number
  /** With its folders, as the archive has it; data to show. */
  name: string
  sizeBytes: number
  /** Null for what is no model. */
  format: ModelFormat | null
}

/** A sound model. What a 3MF says of itself, and which of its parts would make a slicer run something. */
export interface InspectedModel {
  ok: true
  kind: 'model'
  format: 'obj' | '3mf'
  triangles: number
  warnings: MeshWarning[]
  metadata: ModelMetadata | null
  slicerParts: string[]
}

/** What it answers: values, never exceptions, so that a bad file cannot look like a broken worker. */
export type InspectionResult =
  | InspectedModel
  | { ok: true; kind: 'archive'; entries: FoundEntry[] }
  | { ok: false; kind: 'model' | 'archive'; message: string }
