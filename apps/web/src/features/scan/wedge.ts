/** A scanner types a character every few milliseconds; nobody's fingers do. */
const MAX_GAP_MS = 50
const MIN_LENGTH = 3

export interface Wedge {
  /** Takes one key, and answers the code that it ends; null while none has ended. */
  press(key: string, atMs: number): string | null
}

/** Tells a scanner that types from a person who does, by the speed of it and the Enter at the end. */
export function createWedge(): Wedge {
  let typed = ''
  let lastAtMs = Number.NEGATIVE_INFINITY
  return {
    press(key, atMs) {
      const isFast = atMs - lastAtMs <= MAX_GAP_MS
      lastAtMs = atMs
      if (key === 'Enter') {
        const code = isFast && typed.length >= MIN_LENGTH ? typed : null
        typed = ''
        return code
      }
      // Shift and its like come between the characters.
      if (key.length === 1) typed = isFast ? typed + key : key
      return null
    },
  }
}
