/** A text of an object that is searched. A lower rank is a better match. */
export interface SearchedField {
  name: string
  text: string | null | undefined
  rank: number
}

/** Ranks of matches at the beginning of a text. A match later in the text is one rank worse. */
export const RANKS = { best: -1, own: 0, vendor: 2, extra: 4 } as const

/** The field in which an object matches best, and the rank of its weakest word. */
export interface Match {
  field: string
  rank: number
}

/**
 * Returns the match of an object, or null unless each word is in at least one of its fields. The words are in
 * lower case.
 */
export function classifyMatch(words: readonly string[], fields: readonly SearchedField[]): Match | null {
  const found = words.map((word) => bestField(word, fields))
  const known = found.filter((match) => match !== null)
  const [first, ...others] = known
  if (!first || known.length < words.length) return null
  const best = others.reduce((least, match) => (match.rank < least.rank ? match : least), first)
  return { field: best.field, rank: Math.max(...known.map(({ rank }) => rank)) }
}

function bestField(word: string, fields: readonly SearchedField[]): Match | null {
  let best: Match | null = null
  for (const { name, text, rank } of fields) {
    const at = text?.toLowerCase().indexOf(word) ?? -1
    if (at < 0) continue
    const match = { field: name, rank: at === 0 ? rank : rank + 1 }
    if (best === null || match.rank < best.rank) best = match
  }
  return best
}
