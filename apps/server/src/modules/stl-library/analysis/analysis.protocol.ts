import type { SurfaceMeasures } from '@pegasus/mesh/measure/measure'
import type { MeshWarning } from '@pegasus/mesh/types'
import type { Measures } from './analysis.queries.ts'

/** What an analysis worker is asked. Measures and pictures apart, so that a picture that fails costs no measures. */
export type AnalysisRequest =
  | {
      work: 'measure'
      path: string
      triangles: number
      /** Findings of the upload, which the measures' own are added to. */
      warnings: MeshWarning[]
    }
  | { work: 'picture'; path: string; surface: MeasuredSurface; sizePx: number }
  /** `path` is that of a preview: few triangles, whatever the model has. */
  | { work: 'turntable'; path: string; sizePx: number; frames: number }

/** What drawing has to know of the triangles before it sees the first of them. */
export type MeasuredSurface = Pick<SurfaceMeasures, 'triangles' | 'boundingBox' | 'surfaceAreaMm2'>

/** Straight sRGB with alpha, rows from the top. */
export interface Pixels {
  width: number
  height: number
  rgba: Uint8ClampedArray
}

/** What it answers: values, never exceptions, so that a bad file cannot look like a broken worker. */
export type MeasureResult = { ok: true; measures: Measures } | { ok: false; reason: string }

export type PictureResult =
  | {
      ok: true
      front: Pixels
      back: Pixels
      /** Binary STL of at most `PREVIEW_TRIANGLES`. */
      preview: Uint8Array
      /** The picture that the file brought along, as it stands there: any bytes. */
      embedded: Uint8Array | null
    }
  | { ok: false; reason: string }

/** The frames one below the other. */
export type TurntableResult = { ok: true; strip: Pixels } | { ok: false; reason: string }
