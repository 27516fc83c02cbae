import { type CellTable, createCellTable } from './cell-table.ts'
import type { SurfaceMeasures } from '../measure/measure.ts'
import type { TriangleSink } from '../types.ts'

/** A mesh in the form that graphics cards accept. */
export type PreviewMesh = {
  /** The coordinates x, y, z of each corner. */
  vertices: Float32Array<ArrayBuffer>
  /** Three corner indices per triangle, counter-clockwise as seen from outside. */
  indices: Uint32Array<ArrayBuffer>
}

type Clusters = { table: CellTable; sums: Float64Array<ArrayBuffer>; counts: Uint32Array<ArrayBuffer> }

/**
 * Maximum number of cells along the longest side. A cell is then a millionth of the model's size, so practically only
 * equal corners share one.
 */
const FINEST = 2 ** 20
/**
 * Estimated number of triangles for each surface area of h². A surface with the area A intersects about 1.7 A / h²
 * cells with the side h, and each of these cells gives two triangles.
 */
const TRIANGLES_PER_FACE = 3.4
/**
 * At first, the cells are this many times finer than the estimate, because flat faces need few triangles. It is a power
 * of two, so that merging cells leads back to the size in the estimate.
 */
const HEADROOM = 4

/**
 * Simplifies a mesh while it is read, to at most `mostTriangles` (64 or more). All corners in one cell of a grid become
 * one corner at their mean, and triangles that lose their area are dropped (J. Rossignac and P. Borrel,
 * "Multi-resolution 3D approximations for rendering complex scenes", 1993). At first, the cells are finer than the area
 * requires. Whenever there are too many triangles, every eight cells are merged into one, and reading continues. Memory
 * depends only on `mostTriangles`. `surface` comes from an earlier pass over the same triangles. A small mesh is only
 * welded.
 */
export function createPreviewBuilder(
  surface: Pick<SurfaceMeasures, 'boundingBox' | 'surfaceAreaMm2' | 'triangles'>,
  mostTriangles: number,
): { sink: TriangleSink; finish(): PreviewMesh } {
  // The limit is at least 64, because up to eight cells can remain after the last merge.
  const maxTriangles = Math.max(64, mostTriangles)
  const { min, size } = surface.boundingBox
  const longest = Math.max(...size)
  const wanted = Math.sqrt((TRIANGLES_PER_FACE * surface.surfaceAreaMm2) / maxTriangles)
  const finest = longest > 0 ? longest / FINEST : 1
  let cell = surface.triangles <= maxTriangles ? finest : Math.max(finest, wanted / HEADROOM)
  let clusters = createClusters()
  let faces = createCellTable()

  function corner(block: Float32Array, at: number): number {
    const { table } = clusters
    const x = block[at]!
    const y = block[at + 1]!
    const z = block[at + 2]!
    const before = table.count
    const id = table.find(
      Math.floor((x - min[0]) / cell),
      Math.floor((y - min[1]) / cell),
      Math.floor((z - min[2]) / cell),
    )
    if (id === before) reserve(clusters)
    clusters.sums[3 * id]! += x
    clusters.sums[3 * id + 1]! += y
    clusters.sums[3 * id + 2]! += z
    clusters.counts[id]!++
    return id
  }

  /** Doubles the side of the cells. Each new cell gets the sums of the eight cells that it replaces. */
  function coarsen() {
    const { table, sums, counts } = clusters
    const joined = createClusters()
    const ids = new Int32Array(table.count)
    for (let id = 0; id < table.count; id++) {
      const [x, y, z] = table.cells.subarray(3 * id, 3 * id + 3) as unknown as [number, number, number]
      const target = joined.table.find(x >> 1, y >> 1, z >> 1)
      ids[id] = target
      reserve(joined)
      for (let axis = 0; axis < 3; axis++) joined.sums[3 * target + axis]! += sums[3 * id + axis]!
      joined.counts[target]! += counts[id]!
    }
    const old = faces
    faces = createCellTable()
    for (let at = 0; at < 3 * old.count; at += 3) {
      addFace(faces, ids[old.cells[at]!]!, ids[old.cells[at + 1]!]!, ids[old.cells[at + 2]!]!)
    }
    clusters = joined
    cell *= 2
  }

  return {
    sink(block, count) {
      for (let at = 0; at < 9 * count; at += 9) {
        addFace(faces, corner(block, at), corner(block, at + 3), corner(block, at + 6))
        // Corners whose triangles were all dropped also count, because millions of thin triangles would otherwise fill
        // the memory.
        while (faces.count > maxTriangles || clusters.table.count > 3 * maxTriangles) coarsen()
      }
    },
    finish: () => asMesh(clusters, faces),
  }
}

/** Converts a preview mesh to nine floats per triangle, the form that the renderer and `writeBinaryStl` accept. */
export function previewPositions({ vertices, indices }: PreviewMesh): Float32Array<ArrayBuffer> {
  const positions = new Float32Array(3 * indices.length)
  for (let i = 0; i < indices.length; i++) {
    for (let axis = 0; axis < 3; axis++) positions[3 * i + axis] = vertices[3 * indices[i]! + axis]!
  }
  return positions
}

/**
 * Adds a triangle. It is stored with its lowest corner first, so that a duplicate that starts with another corner is
 * found.
 */
function addFace(faces: CellTable, a: number, b: number, c: number) {
  if (a === b || b === c || c === a) return
  if (a < b && a < c) faces.find(a, b, c)
  else if (b < c) faces.find(b, c, a)
  else faces.find(c, a, b)
}

function createClusters(): Clusters {
  return { table: createCellTable(), sums: new Float64Array(3 * 512), counts: new Uint32Array(512) }
}

function reserve(clusters: Clusters) {
  if (clusters.table.count <= clusters.counts.length) return
  const sums = new Float64Array(2 * clusters.sums.length)
  sums.set(clusters.sums)
  const counts = new Uint32Array(2 * clusters.counts.length)
  counts.set(clusters.counts)
  Object.assign(clusters, { sums, counts })
}

/** Creates the mesh without the corners that no triangle uses. */
function asMesh({ sums, counts, table }: Clusters, faces: CellTable): PreviewMesh {
  const indices = new Uint32Array(3 * faces.count)
  const numbers = new Int32Array(table.count)
  const vertices = new Float32Array(3 * table.count)
  let used = 0
  for (let i = 0; i < indices.length; i++) {
    const id = faces.cells[i]!
    if (numbers[id] === 0) {
      for (let axis = 0; axis < 3; axis++) vertices[3 * used + axis] = sums[3 * id + axis]! / counts[id]!
      numbers[id] = ++used
    }
    indices[i] = numbers[id]! - 1
  }
  return { vertices: vertices.slice(0, 3 * used), indices }
}
