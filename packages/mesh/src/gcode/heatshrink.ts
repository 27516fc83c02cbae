/**
 * Unpacks heatshrink data. The bits of each byte are read from the highest to the lowest. After a 1 bit comes one
 * literal byte, and after a 0 bit the distance and the length of an earlier piece to repeat. Returns null if the data
 * ends before `length` bytes are unpacked.
 */
export function unpackHeatshrink(
  packed: Uint8Array,
  length: number,
  { windowBits, lookaheadBits }: { windowBits: number; lookaheadBits: number },
): Uint8Array<ArrayBuffer> | null {
  const out = new Uint8Array(length)
  const bitsEnd = packed.length * 8
  let bit = 0
  let at = 0

  function take(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++, bit++) value = (value << 1) | ((packed[bit >> 3]! >> (7 - (bit & 7))) & 1)
    return value
  }

  while (at < length) {
    if (bit >= bitsEnd) return null
    if (take(1) === 1) {
      if (bit + 8 > bitsEnd) return null
      out[at++] = take(8)
      continue
    }
    if (bit + windowBits + lookaheadBits > bitsEnd) return null
    const distance = take(windowBits) + 1
    const end = Math.min(length, at + take(lookaheadBits) + 1)
    // A repetition may begin before the first byte, where the window contains zeros.
    for (; at < end; at++) out[at] = at >= distance ? out[at - distance]! : 0
  }
  return out
}
