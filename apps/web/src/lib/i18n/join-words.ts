import { t } from './messages.ts'

/** Joins words into a list inside a sentence: `title`, `title and tags`, `title, tags, and license`. */
export function joinWords(words: readonly string[]): string {
  const [last = '', ...others] = words.toReversed()
  const first = others.toReversed().join(', ')
  if (others.length === 0) return last
  return others.length === 1
    ? t('{first} and {last}', { first, last })
    : t('{first}, and {last}', { first, last })
}
