/** A text in which an object is searched. A lower rank is a better match. */
export interface SearchedField {
  name: string
  text: string | null | undefined
  rank: number
}

/**
 * The rank of each kind of text, for a match at the beginning of the text. A match later in the text is one rank worse.
 */
export const RANKS = { best: -1, own: 0, vendor: 2, extra: 4 } as const

/** The field of the best match of an object, and the rank of the word that matches worst. */
export interface Match {
  field: string
  rank: number
}

/**
 * Returns the match of an object. Returns null unless each word occurs in at least one field. The words are in lower
 * case.
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
