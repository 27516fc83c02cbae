import { EMPTY_BOX, growBox } from '../measure/bounding-box.ts'
import type { Direction } from './vectors.ts'

/** Number of vertices in one block. Smaller blocks have tighter boxes, but need more memory for them. */
const BLOCK_VERTICES = 1536
const BLOCK_FLOATS = 3 * BLOCK_VERTICES
/** The numbers of one box: the minimum of x, y and z, followed by the maximum. */
const BOX_NUMBERS = 6

/** The bounding boxes of blocks of consecutive vertices. A block whose box cannot change a result is skipped. */
export type Blocks = {
  /**
   * Minimum and maximum of x, y and z: six numbers per block. The box of a block without finite numbers is
   * inverted.
   */
  boxes: Float64Array
  /** Minimum and maximum of all blocks. */
  min: readonly [number, number, number]
  max: readonly [number, number, number]
}

export function boxBlocks(vertices: Float32Array): Blocks {
  const count = Math.ceil(vertices.length / BLOCK_FLOATS)
  const boxes = new Float64Array(BOX_NUMBERS * count)
  for (let block = 0; block < count; block++) {
    const from = block * BLOCK_FLOATS
    const at = BOX_NUMBERS * block
    boxes.set(EMPTY_BOX, at)
    growBox(boxes, at, vertices, from, Math.min(vertices.length, from + BLOCK_FLOATS))
  }
  const column = (number: number) => boxes.filter((_, at) => at % BOX_NUMBERS === number)
  const least = (number: number) => column(number).reduce((low, value) => Math.min(low, value), Infinity)
  const most = (number: number) => column(number).reduce((high, value) => Math.max(high, value), -Infinity)
  return { boxes, min: [least(0), least(1), least(2)], max: [most(3), most(4), most(5)] }
}

/**
 * Returns, for each direction, how far the vertices reach: the largest dot product of a vertex and the direction.
 * Blocks whose box does not reach further than the result so far are skipped. If the order of the triangles follows the
 * surface, most blocks are skipped.
 */
export function reachTowards(
  vertices: Float32Array,
  { boxes }: Blocks,
  directions: readonly Direction[],
): number[] {
  const reaches = directions.map(() => -Infinity)
  for (let at = 0; at < boxes.length; at += BOX_NUMBERS) {
    const from = (at / BOX_NUMBERS) * BLOCK_FLOATS
    const to = Math.min(vertices.length, from + BLOCK_FLOATS)
    directions.forEach((direction, i) => {
      if (boxReach(boxes, at, direction) <= reaches[i]!) return
      reaches[i] = Math.max(reaches[i]!, blockReach(vertices, from, to, direction))
    })
  }
  return reaches
}

/** Returns the reach of the box's farthest corner, or NaN for an inverted box. */
function boxReach(boxes: Float64Array, at: number, [dx, dy, dz]: Direction): number {
  const x = boxes[dx > 0 ? at + 3 : at]!
  const y = boxes[dy > 0 ? at + 4 : at + 1]!
  const z = boxes[dz > 0 ? at + 5 : at + 2]!
  return dx * x + dy * y + dz * z
}

function blockReach(vertices: Float32Array, from: number, to: number, [dx, dy, dz]: Direction): number {
  let reach = -Infinity
  for (let i = from; i < to; i += 3) {
    const along = vertices[i]! * dx + vertices[i + 1]! * dy + vertices[i + 2]! * dz
    if (along > reach) reach = along
  }
  return reach
}
