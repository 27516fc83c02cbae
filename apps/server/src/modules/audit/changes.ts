import { isDeepStrictEqual } from 'node:util'

export type Fields = Readonly<Record<string, unknown>>

/** The changes of an object: the fields that differ, before and after. Null if a side has none. */
export interface Change {
  before: Fields | null
  after: Fields | null
}

/** Removes the fields that are equal on both sides. Fields of one side only stay. */
export function changedFields(before: Fields | undefined, after: Fields | undefined): Change {
  const differs = (name: string) => !before || !after || !isDeepStrictEqual(before[name], after[name])
  const keep = (side: Fields | undefined): Fields | null => {
    const kept = Object.entries(side ?? {}).filter(([name, value]) => value !== undefined && differs(name))
    return kept.length > 0 ? Object.fromEntries(kept) : null
  }
  return { before: keep(before), after: keep(after) }
}

const SECRET_WORD = /^(password|passphrase|secret|token|key|hash)(e?s)?$/
/** `key_prefix`, `password_changed_at`: they describe a secret without containing it. */
const HARMLESS_ENDING = /^(at|count|id|ids|kind|label|name|prefix|scopes?|status)$/

/** `newPassword` and `new_password` become `new`, `password`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

function isNameOfSecret(name: string): boolean {
  const words = wordsOf(name)
  return words.some((word) => SECRET_WORD.test(word)) && !HARMLESS_ENDING.test(words.at(-1) ?? '')
}

/** Whether a secret exists, since when, or how many: this does not reveal it. */
const canHoldSecret = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)

/** The path of a field whose name may mark a secret, at any depth, such as `a.b`; null if there is none. */
export function findSecret(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [name, held] of Object.entries(value)) {
    const here = [...path, name]
    if (canHoldSecret(held) && isNameOfSecret(name)) return here.join('.')
    const within = findSecret(held, here)
    if (within !== null) return within
  }
  return null
}

/** Replaces what PostgreSQL cannot store: NUL and half of a surrogate pair. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** The same for every text in the fields. */
export const storableFields = (fields: Fields | null): Fields | null =>
  fields &&
  (JSON.parse(JSON.stringify(fields), (_, value: unknown) =>
    typeof value === 'string' ? storableText(value) : value,
  ) as Fields)
