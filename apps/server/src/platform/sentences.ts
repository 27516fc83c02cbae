const ENDS_SENTENCE = /[.!?…]["'”’)\]]*$/

/** Ends a text with a full stop, because a sentence follows it: `Disk full` → `Disk full.` */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd()
  return trimmed === '' || ENDS_SENTENCE.test(trimmed) ? trimmed : `${trimmed}.`
}

/**
 * Joins texts, each of which is at least one sentence, and leaves out those that are missing. The last one stays as it
 * is. Returns null if there is none.
 */
export function joinSentences(texts: readonly (string | null | undefined)[]): string | null {
  const present = texts.filter((text) => text != null && text !== '') as string[]
  const last = present.at(-1)
  return last === undefined ? null : [...present.slice(0, -1).map(endSentence), last].join(' ')
}
