import { isDeepStrictEqual } from 'node:util'

export type Fields = Readonly<Record<string, unknown>>

/** The changed fields of an object before and after a change. A side is null if it has no changed fields. */
export interface Change {
  before: Fields | null
  after: Fields | null
}

/** Returns the fields that differ between the two sides, including fields that only one side has. */
export function changedFields(before: Fields | undefined, after: Fields | undefined): Change {
  const differs = (name: string) => !before || !after || !isDeepStrictEqual(before[name], after[name])
  const keep = (side: Fields | undefined): Fields | null => {
    const kept = Object.entries(side ?? {}).filter(([name, value]) => value !== undefined && differs(name))
    return kept.length > 0 ? Object.fromEntries(kept) : null
  }
  return { before: keep(before), after: keep(after) }
}

const SECRET_WORD = /^(password|passphrase|secret|token|key|hash)(e?s)?$/
/**
 * Matches the last word of names such as `key_prefix` and `password_changed_at`, which describe a secret
 * without containing it.
 */
const HARMLESS_ENDING = /^(at|count|id|ids|kind|label|name|prefix|scopes?|status)$/

/** Splits a field name into words: `newPassword` and `new_password` become `new`, `password`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

function isNameOfSecret(name: string): boolean {
  const words = wordsOf(name)
  return words.some((word) => SECRET_WORD.test(word)) && !HARMLESS_ENDING.test(words.at(-1) ?? '')
}

/**
 * Returns whether a value can contain a secret. A boolean or a number cannot: it only shows, for example,
 * whether a secret exists.
 */
const canHoldSecret = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)

/**
 * Returns the path, such as `a.b`, of a field whose name suggests a secret. Also searches nested fields. Returns null
 * if there is no such field.
 */
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

/** Replaces characters that PostgreSQL cannot store: NUL and unpaired surrogates. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Applies `storableText` to every text in the fields, at any depth. */
export const storableFields = (fields: Fields | null): Fields | null =>
  fields &&
  (JSON.parse(JSON.stringify(fields), (_, value: unknown) =>
    typeof value === 'string' ? storableText(value) : value,
  ) as Fields)
