/** The longest pause between two characters of a scanner, in ms. A person types more slowly. */
const MAX_GAP_MS = 50
const MIN_LENGTH = 3

export interface Wedge {
  /** Processes one key press. Returns the code that the key completes, or null. */
  press(key: string, atMs: number): string | null
}

/** Distinguishes a keyboard scanner from a person, by its typing speed and the Enter at the end. */
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
      // Shift and similar keys occur between the characters, and are ignored.
      if (key.length === 1) typed = isFast ? typed + key : key
      return null
    },
  }
}
