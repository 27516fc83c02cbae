import {
  BLOCK_TRIANGLES,
  formatCount,
  plural,
  type Rejection,
  reject,
  type StlDecoder,
  type StlSummary,
  type TriangleSink,
} from '../types.ts'

const HEADER_BYTES = 80
const PREAMBLE_BYTES = HEADER_BYTES + 4
export const RECORD_BYTES = 50
/**
 * Offset of the corners in a record. A record consists of a normal (three floats, which are often wrong and
 * never read), nine floats for the corners, and two attribute bytes.
 */
const CORNERS_OFFSET = 12

/** Decodes binary STL as it arrives. It has a header of 80 bytes, a 32-bit count, and 50 bytes per triangle. */
export function createBinaryDecoder(sink: TriangleSink): StlDecoder {
  // The buffer contains the preamble first. Later, it contains the beginning of a record if a chunk ends inside it.
  const carry = new Uint8Array(PREAMBLE_BYTES)
  const carryView = new DataView(carry.buffer)
  const block = new Float32Array(BLOCK_TRIANGLES * 9)
  let carried = 0
  let promised = -1
  let readTriangles = 0
  let inBlock = 0
  let extraBytes = 0
  let rejection: Rejection | null = null

  function flush() {
    if (inBlock > 0) sink(block, inBlock)
    inBlock = 0
  }

  /** Reads `count` records from `offset` on, or fewer if one of them is refused. */
  function readRecords(view: DataView, offset: number, count: number) {
    for (let left = count; left > 0 && !rejection; ) {
      const fitting = Math.min(left, BLOCK_TRIANGLES - inBlock)
      const taken = copyCorners(view, offset + (count - left) * RECORD_BYTES, block, 9 * inBlock, fitting)
      inBlock += taken
      readTriangles += taken
      left -= fitting
      if (taken < fitting) rejection = reject('not-finite', notFiniteMessage(readTriangles + 1))
      else if (inBlock === BLOCK_TRIANGLES) flush()
    }
  }

  /**
   * Fills `carry` until it has `wanted` bytes, or until the chunk ends. Returns the number of bytes that it took from
   * the chunk.
   */
  function fillCarry(bytes: Uint8Array, from: number, wanted: number): number {
    const taken = Math.min(wanted - carried, bytes.length - from)
    carry.set(bytes.subarray(from, from + taken), carried)
    carried += taken
    return taken
  }

  function push(bytes: Uint8Array): Rejection | null {
    if (rejection) return rejection
    let at = 0
    if (promised < 0) {
      at = fillCarry(bytes, 0, PREAMBLE_BYTES)
      if (carried < PREAMBLE_BYTES) return null
      promised = carryView.getUint32(HEADER_BYTES, true)
      carried = 0
      if (promised === 0) return (rejection = reject('no-triangles', NO_TRIANGLES))
    }
    if (carried > 0) {
      at += fillCarry(bytes, at, RECORD_BYTES)
      if (carried < RECORD_BYTES) return null
      carried = 0
      readRecords(carryView, 0, 1)
      if (rejection) return rejection
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const whole = Math.min(Math.floor((bytes.length - at) / RECORD_BYTES), promised - readTriangles)
    readRecords(view, at, whole)
    if (rejection) return rejection
    at += whole * RECORD_BYTES
    if (readTriangles === promised) extraBytes += bytes.length - at
    else fillCarry(bytes, at, RECORD_BYTES)
    return null
  }

  function finish(): Rejection | StlSummary {
    if (rejection) return rejection
    if (promised < 0) return reject('too-short', tooShortMessage(carried))
    if (readTriangles < promised) {
      if (carried > 0)
        return reject(
          'truncated',
          `The file ends inside triangle ${formatCount(readTriangles + 1)}. ${SEND_AGAIN}`,
        )
      return reject(
        'count-mismatch',
        `The header promises ${plural(promised, 'triangle')}, but the file ends after ${formatCount(readTriangles)}. ${SEND_AGAIN}`,
      )
    }
    flush()
    const warnings =
      extraBytes > 0 ? [{ code: 'extra-bytes' as const, message: extraMessage(extraBytes) }] : []
    return { ok: true, encoding: 'binary', triangles: readTriangles, solids: 1, warnings }
  }

  return { push, finish }
}

/**
 * Copies the corners of `count` records. Stops before a record with an infinite corner. Returns how many it copied. The
 * nine reads are written out, because most of the time is spent here and a loop would take twice as long.
 */
function copyCorners(from: DataView, offset: number, to: Float32Array, at: number, count: number): number {
  for (let i = 0; i < count; i++) {
    const source = offset + i * RECORD_BYTES + CORNERS_OFFSET
    const target = at + 9 * i
    const ax = from.getFloat32(source, true)
    const ay = from.getFloat32(source + 4, true)
    const az = from.getFloat32(source + 8, true)
    const bx = from.getFloat32(source + 12, true)
    const by = from.getFloat32(source + 16, true)
    const bz = from.getFloat32(source + 20, true)
    const cx = from.getFloat32(source + 24, true)
    const cy = from.getFloat32(source + 28, true)
    const cz = from.getFloat32(source + 32, true)
    to[target] = ax
    to[target + 1] = ay
    to[target + 2] = az
    to[target + 3] = bx
    to[target + 4] = by
    to[target + 5] = bz
    to[target + 6] = cx
    to[target + 7] = cy
    to[target + 8] = cz
    // The sum of nine finite floats fits into a double, so the sum is finite only if all nine floats are
    // finite.
    const sum = ax + ay + az + bx + by + bz + cx + cy + cz
    if (sum - sum !== 0) return i
  }
  return count
}

const SEND_AGAIN = 'The file is probably incomplete: export or upload it again.'
const NO_TRIANGLES = 'The file contains no triangles, so there is nothing to print. Export the model again.'

function tooShortMessage(sizeBytes: number): string {
  return `The file is only ${plural(sizeBytes, 'byte')} long, too short for an STL. Export or upload it again.`
}

function extraMessage(extraBytes: number): string {
  const lost = Math.floor(extraBytes / RECORD_BYTES)
  // This happens if the count in the header is too low. Slicers ignore the remaining triangles without a message.
  if (lost > 0) {
    return `${plural(extraBytes, 'byte')} after the last triangle were ignored, enough for ${plural(lost, 'more triangle')}: check that nothing is missing`
  }
  return `${plural(extraBytes, 'byte')} after the last triangle ${extraBytes === 1 ? 'was' : 'were'} ignored`
}

/** Returns the error message, which is the same for both encodings. `triangle` counts from 1. */
export function notFiniteMessage(triangle: number): string {
  return `Triangle ${formatCount(triangle)} has a corner that is not a finite number. Repair the model in the program it comes from and export it again.`
}
