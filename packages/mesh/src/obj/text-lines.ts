import { BACKSLASH, HASH, LINE_FEED, RETURN, SPACE } from '../char-codes.ts'

/**
 * Maximum length of a line. Programs never write such long lines. Longer lines are refused, so that a hostile
 * file cannot fill the memory.
 */
export const MAX_LINE_BYTES = 256 * 1024

/** Receives one line without its line break. `line` is its number, counted from 1. Returns false to stop. */
type LineSink = (bytes: Uint8Array, start: number, end: number, line: number) => boolean

export type LineSplitter = {
  /** Returns false after the sink has stopped or a line was too long. */
  push(chunk: Uint8Array): boolean
  /** Passes on the last line if it has no line break. Returns whether there was such a line. */
  finish(): boolean
  /** Number of the line that was too long, or 0. */
  readonly tooLongAt: number
}

/**
 * Splits bytes that arrive in chunks into lines, which end with LF, CRLF or CR. A backslash at the very end
 * of a line joins it with the next line, except in a comment, where it may be the end of a Windows path. Each
 * byte is read once, and only a line that a chunk boundary cuts is copied.
 */
export function createLineSplitter(sink: LineSink): LineSplitter {
  let carry = new Uint8Array(1024)
  let carried = 0
  let isJoined = false
  let startLine = 1
  let line = 1
  let wasReturn = false
  let tooLongAt = 0
  let isStopped = false

  function keep(bytes: Uint8Array, start: number, end: number): boolean {
    const needed = carried + end - start
    if (needed > MAX_LINE_BYTES) {
      tooLongAt = startLine
      return false
    }
    if (needed > carry.length) {
      const grown = new Uint8Array(Math.min(MAX_LINE_BYTES, 2 * needed))
      grown.set(carry.subarray(0, carried))
      carry = grown
    }
    carry.set(bytes.subarray(start, end), carried)
    carried = needed
    return true
  }

  /** Passes on a complete line, or keeps it if the next line continues it. */
  function endLine(bytes: Uint8Array, start: number, end: number): boolean {
    line++
    if (carried === 0 && !isJoined && !continues(bytes, start, end)) {
      const isGood = end - start <= MAX_LINE_BYTES && sink(bytes, start, end, startLine)
      if (end - start > MAX_LINE_BYTES) tooLongAt = startLine
      startLine = line
      return isGood
    }
    if (!keep(bytes, start, end)) return false
    // A line that is joined to an earlier one is never a comment, so only its last character decides.
    if (isJoined ? carry[carried - 1] === BACKSLASH : continues(carry, 0, carried)) {
      carry[carried - 1] = SPACE
      isJoined = true
      return true
    }
    return handOver()
  }

  function handOver(): boolean {
    const length = carried
    carried = 0
    isJoined = false
    const isGood = sink(carry, 0, length, startLine)
    startLine = line
    return isGood
  }

  return {
    push(chunk) {
      if (isStopped) return false
      let start = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!
        if (byte !== LINE_FEED && byte !== RETURN) {
          wasReturn = false
          continue
        }
        const isSecondHalf = byte === LINE_FEED && wasReturn
        wasReturn = byte === RETURN
        if (!isSecondHalf && !endLine(chunk, start, at)) {
          isStopped = true
          return false
        }
        start = at + 1
      }
      if (start < chunk.length && !keep(chunk, start, chunk.length)) isStopped = true
      return !isStopped
    },
    finish() {
      if (isStopped || (carried === 0 && !isJoined)) return false
      if (!handOver()) isStopped = true
      return true
    },
    get tooLongAt() {
      return tooLongAt
    },
  }
}

function continues(bytes: Uint8Array, start: number, end: number): boolean {
  if (end === start || bytes[end - 1] !== BACKSLASH) return false
  let at = start
  while (at < end && bytes[at]! <= SPACE) at++
  return bytes[at] !== HASH
}
