import {
  createGrowableFloats,
  createGrowableIndices,
  type GrowableFloats,
  type GrowableIndices,
} from '../growable.ts'
import { RejectionError } from '../rejection-error.ts'
import { plural } from '../types.ts'

/** The corners and triangles of all objects of a 3MF, in two arrays. Each object stores where its own begin and end. */
export type MeshStore = {
  vertices: GrowableFloats
  indices: GrowableIndices
  objects: number
  placings: number
}

/**
 * Maximum numbers of corners and triangles. The arrays then take 96 and 144 MB of memory, and the XML of such a mesh is
 * about 800 MB long.
 */
const MAX_VERTICES = 8_000_000
const MAX_TRIANGLES = 12_000_000
const MAX_OBJECTS = 20_000
/** Maximum number of placements: components of objects, and items of the build. */
const MAX_PLACINGS = 100_000

export function createMeshStore(): MeshStore {
  return { vertices: createGrowableFloats(), indices: createGrowableIndices(), objects: 0, placings: 0 }
}

export function addVertex(store: MeshStore, x: number, y: number, z: number) {
  const { vertices } = store
  if (vertices.length === 3 * MAX_VERTICES) throw tooLarge(MAX_VERTICES, 'corner')
  vertices.reserve(3)
  const { values } = vertices
  values[vertices.length] = x
  values[vertices.length + 1] = y
  values[vertices.length + 2] = z
  vertices.length += 3
}

/** Adds a triangle. The indices count from the first corner of its object. */
export function addTriangle(store: MeshStore, a: number, b: number, c: number) {
  const { indices } = store
  if (indices.length === 3 * MAX_TRIANGLES) throw tooLarge(MAX_TRIANGLES, 'triangle')
  indices.reserve(3)
  const { values } = indices
  values[indices.length] = a
  values[indices.length + 1] = b
  values[indices.length + 2] = c
  indices.length += 3
}

export function countObject(store: MeshStore) {
  if (++store.objects > MAX_OBJECTS) throw tooLarge(MAX_OBJECTS, 'object')
}

export function countReference(store: MeshStore) {
  if (++store.placings > MAX_PLACINGS) throw tooLarge(MAX_PLACINGS, 'component')
}

function tooLarge(limit: number, noun: string): RejectionError {
  return new RejectionError(
    'too-large',
    `The file has over ${plural(limit, noun)}. Simplify the model first.`,
  )
}
