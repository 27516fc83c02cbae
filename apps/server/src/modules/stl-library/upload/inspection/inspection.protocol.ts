import type { ModelFormat, ModelMetadata } from '@pegasus/contracts/stl-library/models'
import type { MeshWarning } from '@pegasus/mesh/types'

/** To read a file whose format its first bytes have told. */
export interface ReadRequest {
  work: 'read'
  path: string
  format: 'obj' | 'zip'
  /** What limits the files in archives, see `zipLimitsFor`. */
  uploadLimitBytes: number
}

/** To hash files of an archive that has been read, by their places in it. */
export interface DigestRequest {
  work: 'digest'
  path: string
  indexes: readonly number[]
}

/** What an inspection worker is asked. */
export type InspectionRequest = ReadRequest | DigestRequest

export interface FileDigest {
  index: number
  sha256: string
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
