import { cornerNormals } from './scene/corner-normals.ts'
import type { MeshAnswer, MeshRequest } from './mesh-message.ts'
import { readPositions } from './read-positions.ts'
import { standOnBed } from './scene/place-on-bed.ts'

const CREASE_DEGREES = 30

// TypeScript assumes the `postMessage` of a page, which takes a target origin. The `postMessage` of a worker
// takes a transfer list instead.
const answer = self.postMessage as (message: MeshAnswer, transfer?: Transferable[]) => void

self.onmessage = ({ data }: MessageEvent<MeshRequest>) => {
  try {
    const positions = readPositions(data.bytes, data.format)
    const size = standOnBed(positions)
    const normals = new Int16Array(cornerNormals(positions, CREASE_DEGREES))
    const mesh = { positions, normals, size, triangles: positions.length / 9 }
    answer({ ok: true, ...mesh }, [positions.buffer, normals.buffer])
  } catch (error) {
    answer({ ok: false, reason: error instanceof Error ? error.message : String(error) })
  }
}
