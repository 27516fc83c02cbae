import {
  BLOCK_TRIANGLES,
  formatCount,
  plural,
  type Rejection,
  reject,
  type StlDecoder,
  type StlSummary,
  type TriangleSink,
} from './stl-types.ts'

const HEADER_BYTES = 80
const PREAMBLE_BYTES = HEADER_BYTES + 4
const RECORD_BYTES = 50
/** A record is a normal (three floats, often wrong, never read), nine corner floats and two attribute bytes. */
const CORNERS_OFFSET = 12

/** Decodes binary STL as it arrives: 80 bytes of header, a 32-bit count, 50 bytes per triangle. */
export function createBinaryDecoder(sink: TriangleSink): StlDecoder {
  // Holds the preamble first, later the one record that a chunk boundary cut.
  const carry = new Uint8Array(PREAMBLE_BYTES)
  const carryView = new DataView(carry.buffer)
  const block = new Float32Array(BLOCK_TRIANGLES * 9)
  let carried = 0
  let promised = -1
  let read = 0
  let inBlock = 0
  let extraBytes = 0
  let rejection: Rejection | null = null

  function flush() {
    if (inBlock > 0) sink(block, inBlock)
    inBlock = 0
  }

  function readRecord(view: DataView, offset: number): boolean {
    const at = inBlock * 9
    let sum = 0
    for (let i = 0; i < 9; i++) {
      const value = view.getFloat32(offset + CORNERS_OFFSET + 4 * i, true)
      block[at + i] = value
      sum += value
    }
    read++
    // Nine finite floats cannot overflow a double, so the sum is finite exactly when all nine are.
    if (sum - sum !== 0) {
      rejection = reject('not-finite', notFiniteMessage(read))
      return false
    }
    if (++inBlock === BLOCK_TRIANGLES) flush()
    return true
  }

  /** Fills `carry` up to `wanted` bytes; returns how many bytes of the chunk that took. */
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
      if (!readRecord(carryView, 0)) return rejection
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const whole = Math.min(Math.floor((bytes.length - at) / RECORD_BYTES), promised - read)
    for (const end = at + whole * RECORD_BYTES; at < end; at += RECORD_BYTES) {
      if (!readRecord(view, at)) return rejection
    }
    if (read === promised) extraBytes += bytes.length - at
    else fillCarry(bytes, at, RECORD_BYTES)
    return null
  }

  function finish(): Rejection | StlSummary {
    if (rejection) return rejection
    if (promised < 0) return reject('too-short', tooShortMessage(carried))
    if (read < promised) {
      if (carried > 0)
        return reject('truncated', `The file ends inside triangle ${formatCount(read + 1)}. ${SEND_AGAIN}`)
      return reject(
        'count-mismatch',
        `The header promises ${plural(promised, 'triangle')}, but the file ends after ${formatCount(read)}. ${SEND_AGAIN}`,
      )
    }
    flush()
    const warnings =
      extraBytes > 0 ? [{ code: 'extra-bytes' as const, message: extraMessage(extraBytes) }] : []
    return { ok: true, encoding: 'binary', triangles: read, solids: 1, warnings }
  }

  return { push, finish }
}

const SEND_AGAIN = 'It was probably cut off on the way: export or upload it again.'
const NO_TRIANGLES = 'The file holds no triangles, so there is nothing to print. Export the model again.'

function tooShortMessage(sizeBytes: number): string {
  return `The file is only ${plural(sizeBytes, 'byte')} long, too short for an STL. Export or upload it again.`
}

function extraMessage(extraBytes: number): string {
  const lost = Math.floor(extraBytes / RECORD_BYTES)
  // A header that promises too few triangles looks like this; slicers then drop the rest without a word.
  if (lost > 0) {
    return `${plural(extraBytes, 'byte')} after the last triangle were ignored, room for ${plural(lost, 'more triangle')}: check that nothing is missing`
  }
  return `${plural(extraBytes, 'byte')} after the last triangle ${extraBytes === 1 ? 'was' : 'were'} ignored`
}

/** One wording for both encodings. `triangle` counts from 1. */
export function notFiniteMessage(triangle: number): string {
  return `Triangle ${formatCount(triangle)} has a corner that is not a finite number. Repair the model in the program it comes from and export it again.`
}
