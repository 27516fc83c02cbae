import { createStlReader } from './stl-reader.ts'
import type { MeshWarning, Rejection, StlEncoding } from '../types.ts'

export type { MeshWarning, Rejection, RejectionCode, WarningCode } from '../types.ts'

/**
 * The result for a valid file. `warnings` are only about the structure; measuring adds warnings about the
 * geometry.
 */
export type StlInspection = { ok: true; encoding: StlEncoding; triangles: number; warnings: MeshWarning[] }

export type StlInspector = {
  /** Reads the next bytes of the file. Returns the reason as soon as the file is certain to be refused. */
  push(chunk: Uint8Array): Rejection | null
  /** Returns the result. Must be called after the last bytes. */
  finish(): StlInspection | Rejection
}

/**
 * Creates an inspector, which checks the structure of an STL while it arrives. Its memory does not grow with the file,
 * and its result does not depend on how the bytes are cut into chunks. Never throws.
 */
export function createStlInspector(): StlInspector {
  const reader = createStlReader(() => {})
  return {
    push: reader.push,
    finish() {
      const verdict = reader.finish()
      if (!verdict.ok) return verdict
      const { encoding, triangles, warnings } = verdict
      return { ok: true, encoding, triangles, warnings }
    },
  }
}
