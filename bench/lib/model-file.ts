import { open, readFile, writeFile } from 'node:fs/promises'
import { createRandom } from './random.ts'

const RECORD_BYTES = 50
const PREAMBLE_BYTES = 84
const ROWS_PER_BLOCK = 32

/**
 * Returns how many circles of points form the ring for a file of this size. The number of points in a circle is four
 * times as large, and two triangles belong to each point.
 */
const rowsFor = (sizeBytes: number): number => Math.floor(Math.sqrt(sizeBytes / (8 * RECORD_BYTES)))

export const triangleCountFor = (sizeBytes: number): number => 8 * rowsFor(sizeBytes) ** 2

/**
 * Yields the blocks of a binary STL of about this size. The shape is a closed ring with a rippled surface. Its
 * triangles are in the order in which programs usually write them. Different `mark`s give different files.
 */
export function* modelBlocks(sizeBytes: number, mark = 0): Generator<Buffer> {
  const rows = rowsFor(sizeBytes)
  const columns = 4 * rows
  const preamble = Buffer.alloc(PREAMBLE_BYTES)
  preamble.write(`Pegasus bench ${mark}`)
  preamble.writeUInt32LE(2 * rows * columns, 80)
  yield preamble

  let lower = ringPoints(0, rows, columns)
  for (let first = 0; first < rows; first += ROWS_PER_BLOCK) {
    const blockRows = Math.min(ROWS_PER_BLOCK, rows - first)
    const block = Buffer.alloc(blockRows * columns * 2 * RECORD_BYTES)
    let at = 0
    const write = (a: Float32Array, i: number, b: Float32Array, j: number, c: Float32Array, k: number) => {
      at += 12
      for (const [points, index] of [
        [a, i],
        [b, j],
        [c, k],
      ] as const)
        for (let axis = 0; axis < 3; axis += 1, at += 4) block.writeFloatLE(points[3 * index + axis]!, at)
      at += 2
    }
    for (let row = first; row < first + blockRows; row += 1) {
      const upper = ringPoints((row + 1) % rows, rows, columns)
      for (let column = 0; column < columns; column += 1) {
        const next = (column + 1) % columns
        write(lower, column, upper, next, upper, column)
        write(lower, column, lower, next, upper, next)
      }
      lower = upper
    }
    yield block
  }
}

/** Returns the points of one circle on the surface of the ring. */
function ringPoints(row: number, rows: number, columns: number): Float32Array {
  const points = new Float32Array(3 * columns)
  const around = (2 * Math.PI * row) / rows
  for (let column = 0; column < columns; column += 1) {
    const along = (2 * Math.PI * column) / columns
    const tube = 20 + 0.4 * Math.sin(40 * along) * Math.sin(30 * around)
    const radius = 60 + tube * Math.cos(around)
    points[3 * column] = radius * Math.cos(along)
    points[3 * column + 1] = radius * Math.sin(along)
    points[3 * column + 2] = tube * Math.sin(around)
  }
  return points
}

export async function writeModelFile(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, 'w')
  for (const block of modelBlocks(sizeBytes)) await file.write(block)
  await file.close()
}

/** Yields the same triangles as blocks of an ASCII STL. Numbers are written like `1.234567e+0`. */
function* modelTextBlocks(sizeBytes: number): Generator<string> {
  yield 'solid ring\n'
  const blocks = modelBlocks(sizeBytes)
  blocks.next()
  for (const block of blocks) {
    const lines: string[] = []
    for (let at = 12; at < block.length; at += RECORD_BYTES) {
      lines.push('  facet normal 0.000000e+00 0.000000e+00 0.000000e+00\n    outer loop\n')
      for (let corner = at; corner < at + 36; corner += 12) {
        const [x, y, z] = [0, 4, 8].map((axis) => block.readFloatLE(corner + axis).toExponential(6))
        lines.push(`      vertex ${x} ${y} ${z}\n`)
      }
      lines.push('    endloop\n  endfacet\n')
    }
    yield lines.join('')
  }
  yield 'endsolid ring\n'
}

/**
 * Writes an ASCII STL with the triangles of a binary STL of `binarySizeBytes`. The file is about five times as large.
 */
export async function writeTextModelFile(path: string, binarySizeBytes: number): Promise<void> {
  const file = await open(path, 'w')
  for (const block of modelTextBlocks(binarySizeBytes)) await file.write(block)
  await file.close()
}

/** Writes the same triangles in a random order, which is the same in every run. */
export async function scrambleModelFile(from: string, to: string): Promise<void> {
  const bytes = await readFile(from)
  const random = createRandom(1)
  const record = Buffer.alloc(RECORD_BYTES)
  for (let left = (bytes.length - PREAMBLE_BYTES) / RECORD_BYTES; left > 1; left -= 1) {
    const last = PREAMBLE_BYTES + (left - 1) * RECORD_BYTES
    const other = PREAMBLE_BYTES + Math.floor(random() * left) * RECORD_BYTES
    bytes.copy(record, 0, last, last + RECORD_BYTES)
    bytes.copy(bytes, last, other, other + RECORD_BYTES)
    record.copy(bytes, other)
  }
  await writeFile(to, bytes)
}
