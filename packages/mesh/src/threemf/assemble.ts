import { EXPORT_AGAIN, RejectionError } from '../rejection-error.ts'
import { notFiniteMessage } from '../stl/stl-binary.ts'
import { formatCount, type ModelPart, plural, type TriangleSink } from '../types.ts'
import { createTriangleBlock } from '../triangle-block.ts'
import type { LoadedParts } from './load-parts.ts'
import type { ParsedObject, ParsedModelPart, ObjectReference } from './model-part.ts'
import { partName } from './relationships.ts'
import { combine, IDENTITY, isMirroring, type Transform } from './transform.ts'

const MAX_TRIANGLES = 40_000_000
/**
 * A file may expand to this fixed number of triangles, plus 20 for each of its bytes. Without this limit, a file of 4
 * KB could place one object so often that a worker is busy for a minute. A packed triangle takes about 15 bytes, so a
 * plate may contain 300 copies of a detailed part.
 */
const FREE_TRIANGLES = 1_000_000
const TRIANGLES_PER_BYTE = 20
/**
 * Maximum number of placed objects. It is limited separately, because each placement takes time even if its object has
 * few triangles.
 */
const MAX_COPIES = 1_000_000
const MAX_DEPTH = 32
const MAX_LISTED_PARTS = 1000

type Found = { object: ParsedObject; part: ParsedModelPart }

/** The size of an object after expansion: triangles, copies of objects, and nesting depth. */
type Extent = { triangles: number; copies: number; depth: number }

/**
 * The objects that a 3MF places, after they were checked. The number of triangles is known before `emit` creates them.
 */
export type Assembly = {
  triangles: number
  parts: ModelPart[]
  /** Number of triangles in objects that are not printed, such as modifiers (type "other"). */
  leftOut: number
  emit(sink: TriangleSink): void
}

/**
 * Resolves the items of the build and their components. Throws RejectionError for circular references, missing objects,
 * and builds beyond the limits. One of these limits depends on `fileBytes`, the size of the file.
 */
export function assemble(loaded: LoadedParts, fileBytes: number): Assembly {
  const maxTriangles = Math.min(MAX_TRIANGLES, FREE_TRIANGLES + TRIANGLES_PER_BYTE * fileBytes)
  const items = itemsOf(loaded)
  const { extents, leftOut } = measureItems(loaded, items)
  const parts: ModelPart[] = []
  const total = { triangles: 0, copies: 0 }
  for (const item of items) {
    const { object } = findObject(loaded, loaded.root, item)
    const extent = extents.get(object)!
    total.triangles += extent.triangles
    total.copies += extent.copies
    if (extent.triangles > 0 && parts.length < MAX_LISTED_PARTS) {
      parts.push({ name: object.name, triangles: extent.triangles })
    }
  }
  if (total.triangles > maxTriangles || total.copies > MAX_COPIES) {
    const isMesh = total.triangles > maxTriangles
    const problem = isMesh ? plural(maxTriangles, 'triangle') : `${formatCount(MAX_COPIES)} copies`
    throw new RejectionError(
      'too-large',
      `The objects of the file add up to over ${problem}. Simplify the model or place fewer copies.`,
    )
  }
  if (total.triangles === 0) {
    throw new RejectionError(
      'no-triangles',
      `The file contains no triangles, so there is nothing to print. ${EXPORT_AGAIN}`,
    )
  }
  const { triangles } = total
  return { triangles, parts, leftOut, emit: (sink) => emitItems(loaded, items, extents, sink) }
}

/**
 * Returns the extent of each object. An object is measured only once, even if it is placed often, so a tree of copies
 * takes little time.
 */
function measureItems(loaded: LoadedParts, items: ObjectReference[]) {
  const extents = new Map<ParsedObject, Extent>()
  let leftOut = 0

  function measure({ object, part }: Found, above: ParsedObject[]): Extent {
    const known = extents.get(object)
    if (known) return known
    if (above.includes(object)) {
      throw new RejectionError('unsafe-structure', `An object of the file contains itself. ${EXPORT_AGAIN}`)
    }
    if (above.length === MAX_DEPTH) throw tooDeep()
    const extent = { triangles: (object.indexEnd - object.indexStart) / 3, copies: 1, depth: 1 }
    // Check the depth from the root and from the leaves, so that the result does not depend on which object is measured
    // first.
    for (const placing of object.components) {
      const inner = measure(findObject(loaded, part, placing), [...above, object])
      extent.triangles += inner.triangles
      extent.copies += inner.triangles > 0 ? inner.copies : 0
      extent.depth = Math.max(extent.depth, inner.depth + 1)
    }
    if (extent.depth > MAX_DEPTH) throw tooDeep()
    if (object.type === 'other') {
      leftOut += extent.triangles
      extent.triangles = 0
    }
    extents.set(object, extent)
    return extent
  }

  for (const item of items) measure(findObject(loaded, loaded.root, item), [])
  return { extents, leftOut }
}

function tooDeep(): RejectionError {
  return new RejectionError(
    'unsafe-structure',
    `Objects are nested more than ${MAX_DEPTH} deep. ${EXPORT_AGAIN}`,
  )
}

/** Returns the objects on the plate. If the plate is empty, returns every object that is not part of another object. */
function itemsOf({ root }: LoadedParts): ObjectReference[] {
  if (root.items.length > 0) return root.items
  const inside = new Set(
    [...root.objects.values()].flatMap((object) => object.components.map((each) => each.objectId)),
  )
  return [...root.objects.keys()]
    .filter((id) => !inside.has(id))
    .map((objectId) => ({ path: null, objectId, transform: IDENTITY }))
}

function findObject(loaded: LoadedParts, from: ParsedModelPart, placing: ObjectReference): Found {
  const part = placing.path === null ? from : loaded.parts.get(partName(placing.path))
  const object = part?.objects.get(placing.objectId)
  if (part && object) return { object, part }
  throw new RejectionError(
    'unsafe-structure',
    `The file places an object that it does not contain. ${EXPORT_AGAIN}`,
  )
}

function emitItems(
  loaded: LoadedParts,
  items: ObjectReference[],
  extents: Map<ParsedObject, Extent>,
  sink: TriangleSink,
) {
  const block = createTriangleBlock(sink)
  const vertices = loaded.store.vertices.values
  const indices = loaded.store.indices.values
  let emitted = 0

  function place({ object, part }: Found, transform: Transform) {
    // Skip objects without triangles, because a tree of empty objects could take forever.
    if (extents.get(object)!.triangles === 0) return
    emitMesh(object, part.unitMm, transform)
    for (const placing of object.components) {
      place(findObject(loaded, part, placing), combine(placing.transform, transform))
    }
  }

  function emitMesh({ indexStart, indexEnd, vertexStart }: ParsedObject, unitMm: number, m: Transform) {
    // A mirroring transform reverses the order of the corners, which would swap inside and outside.
    const [second, third] = isMirroring(m) ? [2, 1] : [1, 2]
    for (let at = indexStart; at < indexEnd; at += 3) {
      let sum = putCorner(vertexStart + 3 * indices[at]!, 0, unitMm, m)
      sum += putCorner(vertexStart + 3 * indices[at + second]!, 3, unitMm, m)
      sum += putCorner(vertexStart + 3 * indices[at + third]!, 6, unitMm, m)
      emitted++
      // The numbers in the file are finite, but a transform may have made them infinite.
      if (sum - sum !== 0) throw new RejectionError('not-finite', notFiniteMessage(emitted))
      block.added()
    }
  }

  function putCorner(from: number, slot: number, unitMm: number, m: Transform): number {
    const x = vertices[from]! * unitMm
    const y = vertices[from + 1]! * unitMm
    const z = vertices[from + 2]! * unitMm
    const { values } = block
    const at = block.offset + slot
    values[at] = x * m[0]! + y * m[3]! + z * m[6]! + m[9]!
    values[at + 1] = x * m[1]! + y * m[4]! + z * m[7]! + m[10]!
    values[at + 2] = x * m[2]! + y * m[5]! + z * m[8]! + m[11]!
    return values[at]! + values[at + 1]! + values[at + 2]!
  }

  for (const item of items) place(findObject(loaded, loaded.root, item), item.transform)
  block.flush()
}

/** Returns the warning about the triangles in objects that are not printed. */
export function leftOutMessage(triangles: number): string {
  return `${formatCount(triangles)} ${triangles === 1 ? 'triangle' : 'triangles'} of objects that are not printed (such as modifiers) ignored`
}
