import type { SurfaceMeasures } from '@pegasus/mesh/measure/measure'
import type { MeshWarning } from '@pegasus/mesh/types'
import type { Measures } from './analysis.queries.ts'

/**
 * A request to an analysis worker. Measuring and drawing are separate requests, so that a failed picture does
 * not lose the measures.
 */
export type AnalysisRequest =
  | {
      work: 'measure'
      path: string
      triangles: number
      /** Warnings from the upload. The worker adds its own. */
      warnings: MeshWarning[]
    }
  | { work: 'picture'; path: string; surface: MeasuredSurface; sizePx: number }
  /** `path` is the preview mesh, which has few triangles even for a large model. */
  | { work: 'turntable'; path: string; sizePx: number; frames: number }

/** Properties of the mesh that drawing needs before the first triangle arrives. */
export type MeasuredSurface = Pick<SurfaceMeasures, 'triangles' | 'boundingBox' | 'surfaceAreaMm2'>

/** Pixels in sRGB with straight (not premultiplied) alpha, rows from top to bottom. */
export interface Pixels {
  width: number
  height: number
  rgba: Uint8ClampedArray
}

/**
 * Results of the worker. A bad file results in `ok: false` instead of an exception, so that it is never
 * mistaken for a broken worker.
 */
export type MeasureResult = { ok: true; measures: Measures } | { ok: false; reason: string }

export type PictureResult =
  | {
      ok: true
      front: Pixels
      back: Pixels
      /** Binary STL of at most `PREVIEW_TRIANGLES`. */
      preview: Uint8Array
      /**
       * The picture embedded in the file, unchanged. It comes from the file, so its bytes can be anything.
       */
      embedded: Uint8Array | null
    }
  | { ok: false; reason: string }

/** The frames, stacked vertically. */
export type TurntableResult = { ok: true; strip: Pixels } | { ok: false; reason: string }
