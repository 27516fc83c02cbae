/** A scanner types a character every few milliseconds; a person is slower. */
const MAX_GAP_MS = 50
const MIN_LENGTH = 3

export interface Wedge {
  /** Takes one key, and returns the code that it completes; null otherwise. */
  press(key: string, atMs: number): string | null
}

/** Distinguishes a keyboard scanner from a person, by typing speed and the Enter at the end. */
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
      // Shift and similar keys come between the characters.
      if (key.length === 1) typed = isFast ? typed + key : key
      return null
    },
  }
}
