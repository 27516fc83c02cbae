import type { MeshWarning } from '@pegasus/mesh/stl-types'
import type { BoundingBox } from './stl-library.queries.ts'

/** What an analysis worker is asked. */
export interface AnalysisRequest {
  path: string
  /** Findings of the upload, which the measures' own are added to. */
  warnings: MeshWarning[]
  pictureSizePx: number
}

/** What it answers: values, never exceptions, so that a bad file cannot look like a broken worker. */
export type AnalysisResult =
  | {
      ok: true
      triangles: number
      boundingBoxMm: BoundingBox
      volumeMm3: number | null
      surfaceAreaMm2: number
      isWatertight: boolean
      shells: number
      warnings: MeshWarning[]
      /** WebP with a transparent background. */
      picture: Uint8Array
    }
  | { ok: false; reason: string }
