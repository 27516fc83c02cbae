import { createGrowableFloats, createGrowableIndices } from '../growable.ts'
import { LINE_FEED, SEMICOLON } from '../char-codes.ts'
import { MAX_LINE_BYTES } from './slicer-comments.ts'

/** The paths along which a print is extruded, layer by layer, without travel. Lengths are in millimeters. */
export type Toolpath = {
  /** Six floats for each line: x, y, z of its start and of its end. */
  positions: Float32Array<ArrayBuffer>
  /** For each layer, the number of lines from the start of the print to the end of the layer. */
  layerEnds: Uint32Array<ArrayBuffer>
  /** The height of each layer above the bed. */
  layerZ: Float32Array<ArrayBuffer>
  /** Whether the file has more lines than the limit. Only the first lines are kept. */
  isCut: boolean
}

export type ToolpathReader = {
  /** Reads the next bytes of G-code. Returns false after the limit is reached. */
  push(chunk: Uint8Array): boolean
  finish(): Toolpath
}

/** Arcs are drawn as lines of this length. `MAX_ARC_STEPS` limits their number. */
const ARC_STEP_MM = 1
const MAX_ARC_STEPS = 64
const SAME_Z_MM = 1e-4
const LAYER_COMMENT = /^;\s?(?:LAYER_CHANGE|CHANGE_LAYER|LAYER:|layer \d+,)/

/**
 * Follows the movements of G-code: G0 to G3, absolute and relative. A layer begins where the slicer's
 * comments say so. Without such comments, a layer begins with the first extrusion at another height.
 */
export function createToolpathReader(maxLines: number): ToolpathReader {
  const positions = createGrowableFloats()
  const layerEnds = createGrowableIndices()
  const layerZ: number[] = []
  const words = new Float64Array(128)
  const hasWord = new Uint8Array(128)
  let [x, y, z, e] = [0, 0, 0, 0]
  let [isRelative, isExtruderRelative] = [false, false]
  let hasLayerComments = false
  let isLayerDue = true
  let lines = 0
  let isCut = false
  let carry = new Uint8Array(0)

  function beginLayer() {
    isLayerDue = false
    // An extrusion that cleans the nozzle before the first layer, at the same height, is part of that layer.
    if (layerZ.length === 1 && Math.abs(layerZ[0]! - z) < SAME_Z_MM) return
    if (layerZ.length > 0) endLayer()
    layerZ.push(z)
  }

  function endLayer() {
    layerEnds.reserve(1)
    layerEnds.values[layerEnds.length++] = lines
  }

  function draw(toX: number, toY: number, toZ: number, fromX: number, fromY: number, fromZ: number) {
    if (lines === maxLines) {
      isCut = true
      return
    }
    positions.reserve(6)
    const at = positions.length
    positions.values[at] = fromX
    positions.values[at + 1] = fromY
    positions.values[at + 2] = fromZ
    positions.values[at + 3] = toX
    positions.values[at + 4] = toY
    positions.values[at + 5] = toZ
    positions.length += 6
    lines++
  }

  const X = 0x58
  const Y = 0x59
  const Z = 0x5a
  const E = 0x45
  const I = 0x49
  const J = 0x4a

  function target(letter: number, now: number): number {
    if (hasWord[letter] === 0) return now
    return isRelative ? now + words[letter]! : words[letter]!
  }

  function move(kind: number) {
    const [toX, toY, toZ] = [target(X, x), target(Y, y), target(Z, z)]
    let fed = 0
    if (hasWord[E] !== 0) {
      fed = isExtruderRelative ? words[E]! : words[E]! - e
      e = isExtruderRelative ? e + words[E]! : words[E]!
    }
    const [fromX, fromY, fromZ] = [x, y, z]
    x = toX
    y = toY
    z = toZ
    if (!(fed > 0) || (toX === fromX && toY === fromY && kind < 2)) return
    if (isLayerDue || (!hasLayerComments && Math.abs(z - (layerZ.at(-1) ?? Number.NaN)) > SAME_Z_MM))
      beginLayer()
    if (kind >= 2 && (hasWord[I] !== 0 || hasWord[J] !== 0)) drawArc(kind === 2, fromX, fromY, fromZ)
    else draw(toX, toY, toZ, fromX, fromY, fromZ)
  }

  function drawArc(isClockwise: boolean, fromX: number, fromY: number, fromZ: number) {
    const centerX = fromX + (hasWord[I] === 0 ? 0 : words[I]!)
    const centerY = fromY + (hasWord[J] === 0 ? 0 : words[J]!)
    const radius = Math.hypot(fromX - centerX, fromY - centerY)
    const start = Math.atan2(fromY - centerY, fromX - centerX)
    let turn = Math.atan2(y - centerY, x - centerX) - start
    if (isClockwise && turn >= 0) turn -= 2 * Math.PI
    if (!isClockwise && turn <= 0) turn += 2 * Math.PI
    const steps = Math.max(1, Math.min(MAX_ARC_STEPS, Math.ceil((Math.abs(turn) * radius) / ARC_STEP_MM)))
    let [lastX, lastY, lastZ] = [fromX, fromY, fromZ]
    for (let step = 1; step <= steps; step++) {
      const isLast = step === steps
      const angle = start + (turn * step) / steps
      const nextX = isLast ? x : centerX + radius * Math.cos(angle)
      const nextY = isLast ? y : centerY + radius * Math.sin(angle)
      const nextZ = fromZ + ((z - fromZ) * step) / steps
      draw(nextX, nextY, nextZ, lastX, lastY, lastZ)
      lastX = nextX
      lastY = nextY
      lastZ = nextZ
    }
  }

  /** Reads `G1X10.5Y-.2E3`, with or without spaces, into `words`. */
  function readWords(bytes: Uint8Array, from: number, to: number) {
    hasWord.fill(0)
    let at = from
    while (at < to) {
      const letter = bytes[at]! & 0xdf
      if (bytes[at] === SEMICOLON || bytes[at] === 0x28) return
      at++
      if (letter < 0x41 || letter > 0x5a) continue
      let isNegative = false
      if (bytes[at] === 0x2d) isNegative = true
      if (bytes[at] === 0x2d || bytes[at] === 0x2b) at++
      let value = 0
      let digits = 0
      let scale = 0
      for (; at < to; at++) {
        const byte = bytes[at]!
        if (byte === 0x2e && scale === 0) {
          scale = 1
          continue
        }
        if (byte < 0x30 || byte > 0x39) break
        digits++
        value = value * 10 + byte - 0x30
        if (scale > 0) scale *= 10
      }
      if (digits === 0 || digits > 15) continue
      words[letter] = (isNegative ? -value : value) / (scale > 0 ? scale : 1)
      hasWord[letter] = 1
    }
  }

  const G = 0x47
  const M = 0x4d

  function readLine(bytes: Uint8Array, from: number, to: number) {
    let start = from
    while (start < to && bytes[start]! <= 0x20) start++
    if (start === to) return
    const first = bytes[start]!
    if (first === SEMICOLON) {
      // Matches `;LAYER_CHANGE`, `; CHANGE_LAYER`, `;LAYER:3` and `; layer 3, Z = …`.
      const letter = (bytes[start + 1] === 0x20 ? bytes[start + 2] : bytes[start + 1])! | 0x20
      if (letter !== 0x6c && letter !== 0x63) return
      if (!LAYER_COMMENT.test(decoder.decode(bytes.subarray(start, Math.min(to, start + 32))))) return
      hasLayerComments = true
      isLayerDue = true
      return
    }
    if (first !== G && first !== M) return
    readWords(bytes, start, to)
    if (first === M) {
      if (words[M] === 82) isExtruderRelative = false
      if (words[M] === 83) isExtruderRelative = true
      return
    }
    if (hasWord[G] === 0) return
    obey(words[G]!)
  }

  function obey(code: number) {
    if (code >= 0 && code <= 3) move(code)
    else if (code === 90) {
      isRelative = false
      isExtruderRelative = false
    } else if (code === 91) {
      isRelative = true
      isExtruderRelative = true
    } else if (code === 92) {
      if (hasWord[X] !== 0) x = words[X]!
      if (hasWord[Y] !== 0) y = words[Y]!
      if (hasWord[Z] !== 0) z = words[Z]!
      if (hasWord[E] !== 0) e = words[E]!
    }
  }

  return {
    push(chunk) {
      let bytes = chunk
      if (carry.length > 0) {
        bytes = new Uint8Array(carry.length + chunk.length)
        bytes.set(carry)
        bytes.set(chunk, carry.length)
      }
      let start = 0
      for (let end = bytes.indexOf(LINE_FEED); end >= 0 && !isCut; end = bytes.indexOf(LINE_FEED, start)) {
        readLine(bytes, start, end)
        start = end + 1
      }
      carry = bytes.slice(start, start + MAX_LINE_BYTES)
      return !isCut
    },
    finish() {
      if (!isCut) readLine(carry, 0, carry.length)
      if (layerZ.length > 0) endLayer()
      return {
        positions: positions.values.slice(0, positions.length),
        layerEnds: layerEnds.values.slice(0, layerEnds.length),
        layerZ: Float32Array.from(layerZ),
        isCut,
      }
    },
  }
}

const decoder = new TextDecoder()
