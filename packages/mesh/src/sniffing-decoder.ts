import { SNIFFED_BYTES } from './stl/stl-sniffer.ts'
import type { ModelDecoder, Rejection } from './types.ts'

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Creates a decoder that collects the first bytes of a file, lets `choose` select a decoder for them, and passes the
 * whole file on to it. The number of collected bytes is fixed, so the result does not depend on how the file is cut
 * into chunks.
 */
export function createSniffingDecoder<Summary extends { ok: true }>(
  choose: (prefix: Uint8Array) => ModelDecoder<Summary> | Rejection,
): ModelDecoder<Summary> {
  const prefix = new Uint8Array(SNIFFED_BYTES)
  let prefixLength = 0
  let decoder: ModelDecoder<Summary> | null = null
  let rejection: Rejection | null = null
  let verdict: Rejection | Summary | null = null

  function decide(): Rejection | null {
    const seen = prefix.subarray(0, prefixLength)
    const chosen = choose(seen)
    if ('ok' in chosen) return chosen
    decoder = chosen
    return decoder.push(seen)
  }

  function push(chunk: Uint8Array): Rejection | null {
    if (rejection) return rejection
    if (decoder) return (rejection = decoder.push(chunk))
    const taken = Math.min(SNIFFED_BYTES - prefixLength, chunk.length)
    prefix.set(chunk.subarray(0, taken), prefixLength)
    prefixLength += taken
    if (prefixLength < SNIFFED_BYTES) return null
    rejection = decide() ?? (taken < chunk.length ? decoder!.push(chunk.subarray(taken)) : null)
    return rejection
  }

  function finish(): Rejection | Summary {
    if (!rejection && !decoder) rejection = decide()
    verdict ??= rejection ?? decoder!.finish()
    return verdict
  }

  return { push, finish }
}

/** Returns a decoder that passes the file to `decoder` without its byte order mark. */
export function withoutByteOrderMark<Summary>(decoder: ModelDecoder<Summary>): ModelDecoder<Summary> {
  let isStart = true
  return {
    push(bytes) {
      const hasMark = isStart && BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte)
      isStart = false
      return decoder.push(hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes)
    },
    finish: decoder.finish,
  }
}
