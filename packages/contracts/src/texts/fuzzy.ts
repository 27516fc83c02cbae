/**
 * The word lengths for which fuzzy matching is used. Shorter words are similar to too many others, and nobody
 * types longer words.
 */
const MIN_LENGTH = 4
const MAX_LENGTH = 40
/** Words with at least this many letters may contain two typos. */
const LONG_LENGTH = 6

/**
 * Returns the number of typos that are allowed in a word. A word with a digit allows none, because a similar
 * number means something else.
 */
export function allowedTypos(word: string): number {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || /\d/.test(word)) return 0
  return word.length < LONG_LENGTH ? 1 : 2
}

/**
 * Returns the corrections that a trigram comparison misses: two neighboring letters swapped back, or one
 * extra letter removed.
 */
export function withoutTypos(word: string): string[] {
  const letters = [...word]
  const swapped = letters.slice(1).map((letter, at) => letters.with(at, letter).with(at + 1, letters[at]!))
  const shortened = letters.map((_, at) => letters.toSpliced(at, 1))
  return [...new Set([...swapped, ...shortened].map((kept) => kept.join('')))].filter((kept) => kept !== word)
}

/** Returns LIKE patterns for a word with one letter wrong or missing: `cat` gives `c_t` and `ca_t`, among others. */
export function typoPatterns(word: string): string[] {
  const letters = [...word].map((letter) => letter.replace(/[\\%_]/, String.raw`\$&`))
  const wrong = letters.map((_, at) => letters.with(at, '_'))
  const missing = [...letters, ''].map((_, at) => letters.toSpliced(at, 0, '_'))
  return [...new Set([...wrong, ...missing].map((kept) => kept.join('')))]
}

/**
 * Counts the typos between two words. A typo is an extra letter, a missing letter, a wrong letter, or two neighboring
 * letters swapped. No letter takes part in two typos (optimal string alignment). If there are more than `most` typos,
 * returns `most + 1`.
 */
export function typosBetween(one: string, other: string, most: number): number {
  const a = [...one]
  const b = [...other]
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let slips = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        slips = Math.min(slips, before[j - 2]! + 1)
      row.push(slips)
    }
    before = last
    last = row
  }
  return Math.min(last[b.length]!, most + 1)
}

/** Letters that Unicode normalization does not split into a plain letter and an accent, with their plain form. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
}

/** Returns a text in lower case without accents, as `fold_text` in the database does: `Nguyễn` gives `nguyen`. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replace(/[ßæœøłđı]/g, (letter) => LETTERS[letter] ?? letter)
