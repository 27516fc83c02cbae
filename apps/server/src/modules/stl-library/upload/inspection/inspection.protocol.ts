import type { ModelFormat, ModelMetadata } from '@pegasus/contracts/stl-library/models'
import type { MeshWarning } from '@pegasus/mesh/types'

/** A request to read a file. Its format is known from its first bytes. */
export interface ReadRequest {
  work: 'read'
  path: string
  format: 'obj' | 'zip'
  /** Upload limit in bytes, from which `zipLimitsFor` derives the limits for archives. */
  uploadLimitBytes: number
}

/**
 * A request to hash files of an archive that an earlier request has read. `indexes` contains the positions of the
 * files.
 */
export interface DigestRequest {
  work: 'digest'
  path: string
  indexes: readonly number[]
}

/** A request to an inspection worker. */
export type InspectionRequest = ReadRequest | DigestRequest

export interface FileDigest {
  index: number
  sha256: string
}

/** A file in an archive. */
export interface FoundEntry {
  /** The index of the file among the files of the archive. */
  index: number
  /** The name with its folders, as in the archive. It is for display only. */
  name: string
  sizeBytes: number
  /** Null if the file is not a model. */
  format: ModelFormat | null
}

/**
 * A valid model, with the metadata of a 3MF and the parts of the 3MF that would make a slicer run a program.
 */
export interface InspectedModel {
  ok: true
  kind: 'model'
  format: 'obj' | '3mf'
  triangles: number
  warnings: MeshWarning[]
  metadata: ModelMetadata | null
  slicerParts: string[]
}

/**
 * Results of the worker. A bad file results in `ok: false` instead of an exception, so that it is never
 * mistaken for a broken worker.
 */
export type InspectionResult =
  | InspectedModel
  | { ok: true; kind: 'archive'; entries: FoundEntry[] }
  | { ok: false; kind: 'model' | 'archive'; message: string }
