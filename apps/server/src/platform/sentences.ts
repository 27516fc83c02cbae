const ENDS_SENTENCE = /[.!?…]["'”’)\]]*$/

/** Ends a text with a full stop if it has none, so that a sentence can follow: `Disk full` → `Disk full.` */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd()
  return trimmed === '' || ENDS_SENTENCE.test(trimmed) ? trimmed : `${trimmed}.`
}

/**
 * Joins texts and puts full stops between them. Leaves out missing texts, and does not change the last one. Returns
 * null if all texts are missing.
 */
export function joinSentences(texts: readonly (string | null | undefined)[]): string | null {
  const present = texts.filter((text) => text != null && text !== '') as string[]
  const last = present.at(-1)
  return last === undefined ? null : [...present.slice(0, -1).map(endSentence), last].join(' ')
}
