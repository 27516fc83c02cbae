import { isolateText } from './languages.ts'
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

/**
 * Joins facts into one line: `S-0117 · PETG · 84 g left`. Empty facts are left out. In a text that is written from right
 * to left, each fact keeps its own direction, so that a printer's name and the time beside it do not mix.
 */
export const joinFacts = (facts: readonly (string | number | false | null | undefined)[]): string =>
  facts
    .filter(Boolean)
    .map((fact) => isolateText(String(fact)))
    .join(' · ')
