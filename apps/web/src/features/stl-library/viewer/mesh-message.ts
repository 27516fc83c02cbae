import type { ModelFormat } from '@pegasus/contracts/stl-library/models'
import type { Vec3 } from './scene/view-math.ts'

/** Formats that the browser can parse. A 3MF is an archive, which only the server can open. */
export type ReadableFormat = Exclude<ModelFormat, '3mf'>

/** Messages between the page and the mesh worker. */
export interface MeshRequest {
  bytes: Uint8Array<ArrayBuffer>
  format: ReadableFormat
}

/** A model that is ready to draw. Its lowest point is at z = 0, and it is centered on x and y. */
export interface ReadyMesh {
  /** Nine numbers per triangle. */
  positions: Float32Array<ArrayBuffer>
  /** Shading normals as 16-bit fractions, nine per triangle. */
  normals: Int16Array<ArrayBuffer>
  size: Vec3
  triangles: number
}

export type MeshAnswer = ({ ok: true } & ReadyMesh) | { ok: false; reason: string }
