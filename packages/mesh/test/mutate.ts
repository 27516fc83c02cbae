import { concat } from './zip-tools.ts'

/** Damages a file in one to four places: changed bytes, a cut, a mix with another file, or a missing piece. */
export function mutate(
  seed: Uint8Array,
  other: Uint8Array,
  pick: (limit: number) => number,
): Uint8Array<ArrayBuffer> {
  let bytes = seed.slice()
  for (let step = pick(4); step >= 0; step--) {
    const at = pick(bytes.length + 1)
    const kind = pick(5)
    if (kind === 0 && bytes.length > 0) bytes[Math.min(at, bytes.length - 1)] = pick(256)
    if (kind === 1) bytes = bytes.slice(0, at)
    if (kind === 2) bytes = concat([bytes.subarray(0, at), other.subarray(pick(other.length + 1))])
    if (kind === 3) bytes = concat([bytes.subarray(0, at), bytes.subarray(at + pick(40))])
    if (kind === 4 && bytes.length > 84) bytes[80 + pick(4)] = pick(256)
  }
  return bytes
}

const NUMBERS = ['0', '-1', '4294967295', '1e39', 'NaN', '1,5', '9'.repeat(40), '', '-1/-1/-1']
const MARKUP = ['<a>', '</object>', '<!--', '<![CDATA[', '<!DOCTYPE', '<?', '/>', '&amp;', '&x;', '&#0;', '"']
const ATTRIBUTES = [
  'objectid="1"',
  'p:path="/3D/3dmodel.model"',
  'unit="inch"',
  'transform="1 0 0 0 1 0 0 0 1 0 0 0"',
]
const LINES = ['f 1 2 3\n', 'v 1 2 3\n', '\r', '\\\n', '#', '\0', '\\']
const WORDS = [...NUMBERS, ...MARKUP, ...ATTRIBUTES, ...LINES]

/** Damages text by moving keywords to wrong places, and by doubling or removing pieces. */
export function mutateText(text: string, pick: (limit: number) => number): string {
  let out = text
  for (let step = pick(2); step >= 0; step--) {
    const at = pick(out.length + 1)
    const length = pick(30)
    const kind = pick(4)
    if (kind === 0) out = out.slice(0, at) + WORDS[pick(WORDS.length)] + out.slice(at)
    if (kind === 1) out = out.slice(0, at) + WORDS[pick(WORDS.length)] + out.slice(at + length)
    if (kind === 2) out = out.slice(0, at) + out.slice(at, at + length) + out.slice(at)
    if (kind === 3) out = out.slice(0, at) + out.slice(at + length)
  }
  return out
}
