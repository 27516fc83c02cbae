/** The keywords of ASCII STL, as lower-case bytes. */
export const WORDS = {
  solid: wordBytes('solid'),
  facet: wordBytes('facet'),
  endsolid: wordBytes('endsolid'),
  normal: wordBytes('normal'),
  outer: wordBytes('outer'),
  loop: wordBytes('loop'),
  vertex: wordBytes('vertex'),
  endloop: wordBytes('endloop'),
  endfacet: wordBytes('endfacet'),
}

/**
 * Maximum length of a token. Numbers and keywords are shorter. Longer tokens are refused, so that a hostile file cannot
 * fill the memory.
 */
export const MAX_TOKEN_BYTES = 128

/** This bit is set in lower-case letters, and not set in upper-case ones. */
export const LETTER_BIT = 0x20

/** Returns whether `word` is at `start`, in upper or lower case. Anything may follow it. */
export function isWordAt(word: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < word.length; i++) if ((bytes[start + i]! | LETTER_BIT) !== word[i]) return false
  return true
}

function wordBytes(word: string): Uint8Array {
  return Uint8Array.from(word, (letter) => letter.charCodeAt(0))
}
