import { isDeepStrictEqual } from 'node:util'

export type Fields = Readonly<Record<string, unknown>>

/** What changed of a thing: the fields that differ, as they were and as they are. Null where nothing is left. */
export interface Change {
  before: Fields | null
  after: Fields | null
}

/** Leaves out of both sides the fields that are the same in both. What only one side knows stays. */
export function changedFields(before: Fields | undefined, after: Fields | undefined): Change {
  const differs = (name: string) => !before || !after || !isDeepStrictEqual(before[name], after[name])
  const keep = (side: Fields | undefined): Fields | null => {
    const kept = Object.entries(side ?? {}).filter(([name, value]) => value !== undefined && differs(name))
    return kept.length > 0 ? Object.fromEntries(kept) : null
  }
  return { before: keep(before), after: keep(after) }
}

const SECRET_WORD = /^(password|passphrase|secret|token|key|hash)(e?s)?$/
/** `key_prefix`, `password_changed_at`: about a secret, and none. */
const HARMLESS_ENDING = /^(at|count|id|ids|kind|label|name|prefix|scopes?|status)$/

/** `newPassword` and `new_password` are `new`, `password`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

function isNameOfSecret(name: string): boolean {
  const words = wordsOf(name)
  return words.some((word) => SECRET_WORD.test(word)) && !HARMLESS_ENDING.test(words.at(-1) ?? '')
}

/** Whether there is one, since when, or how many says nothing of the secret itself. */
const canHoldSecret = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)

/** Where, at any depth, a field is that by its name may hold a secret, as `a.b`; null if there is none. */
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

/** As the database can hold it: it knows neither the zero character nor half of a pair. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** The same for every text within fields. */
export const storableFields = (fields: Fields | null): Fields | null =>
  fields &&
  (JSON.parse(JSON.stringify(fields), (_, value: unknown) =>
    typeof value === 'string' ? storableText(value) : value,
  ) as Fields)
