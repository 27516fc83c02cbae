import type { ModelFormat, ModelMetadata } from '@pegasus/contracts/stl-library/models'
import type { MeshWarning } from '@pegasus/mesh/types'

/** Reads a file whose format is known from its first bytes. */
export interface ReadRequest {
  work: 'read'
  path: string
  format: 'obj' | 'zip'
  /** Limits for archives, see `zipLimitsFor`. */
  uploadLimitBytes: number
}

/** Hashes files of an archive that has been read, by their index. */
export interface DigestRequest {
  work: 'digest'
  path: string
  indexes: readonly number[]
}

/** Request to an inspection worker. */
export type InspectionRequest = ReadRequest | DigestRequest

export interface FileDigest {
  index: number
  sha256: string
}

/** A file of an archive. */
export interface FoundEntry {
  /** Its index among the files of the archive. */
  index: number
  /** With its folders, as in the archive; text to show only. */
  name: string
  sizeBytes: number
  /** Null if it is not a model. */
  format: ModelFormat | null
}

/** A valid model, with the metadata of a 3MF and the parts of it that would make a slicer run a program. */
export interface InspectedModel {
  ok: true
  kind: 'model'
  format: 'obj' | '3mf'
  triangles: number
  warnings: MeshWarning[]
  metadata: ModelMetadata | null
  slicerParts: string[]
}

/** Answer of the worker: values, never exceptions, so that a bad file cannot look like a broken worker. */
export type InspectionResult =
  | InspectedModel
  | { ok: true; kind: 'archive'; entries: FoundEntry[] }
  | { ok: false; kind: 'model' | 'archive'; message: string }
