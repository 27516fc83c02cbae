import type { MeshWarning } from '@pegasus/mesh/stl-types'
import type { Measures } from './analysis.queries.ts'

/** What an analysis worker is asked. Measures and picture apart, so that a picture that fails costs no measures. */
export type AnalysisRequest =
  | {
      work: 'measure'
      path: string
      triangles: number
      /** Findings of the upload, which the measures' own are added to. */
      warnings: MeshWarning[]
    }
  | { work: 'picture'; path: string; triangles: number; surfaceAreaMm2: number; sizePx: number }

/** What it answers: values, never exceptions, so that a bad file cannot look like a broken worker. */
export type MeasureResult = { ok: true; measures: Measures } | { ok: false; reason: string }

/** WebP with a transparent background. */
export type PictureResult =
  | { ok: true; width: number; height: number; rgba: Uint8ClampedArray }
  | { ok: false; reason: string }
