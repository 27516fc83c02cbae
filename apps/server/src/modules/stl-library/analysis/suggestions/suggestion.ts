import {
  DESCRIPTION_MAX_LENGTH,
  MAX_TAGS,
  TAG_MAX_LENGTH,
  TITLE_MAX_LENGTH,
} from '@pegasus/contracts/stl-library/models'

/** Fields that can be suggested. */
export const SUGGESTABLE = ['title', 'tags', 'description'] as const
export type Suggestable = (typeof SUGGESTABLE)[number]

export interface Suggestion {
  title?: string
  tags?: readonly string[]
  /** Null means that the earlier suggestion is outdated and there is no new one. */
  description?: string | null
}

/** Fields of a model that a suggestion may still fill: empty fields, and fields with an earlier suggestion. */
export interface OpenFields {
  fields_to_suggest: readonly string[]
  suggested_fields: readonly string[]
  tags: readonly string[]
  description: string | null
}

/**
 * Returns the suggestions for fields into which nobody has typed, neither before nor after the suggestions were
 * requested.
 */
export function keepOpen(suggestion: Suggestion, model: OpenFields): Suggestion {
  const isEmpty = { title: false, tags: model.tags.length === 0, description: model.description === null }
  const isOpen = (field: Suggestable) =>
    model.fields_to_suggest.includes(field) && (isEmpty[field] || model.suggested_fields.includes(field))
  const kept = SUGGESTABLE.filter((field) => suggestion[field] !== undefined && isOpen(field))
  return Object.fromEntries(kept.map((field) => [field, suggestion[field]]))
}

/**
 * Maximum number of suggested tags. It is lower than the limit for people, because tags that nobody requested
 * should not fill the page.
 */
const MAX_SUGGESTED_TAGS = Math.min(8, MAX_TAGS)
const MAX_SUGGESTED_DESCRIPTION = Math.min(2_000, DESCRIPTION_MAX_LENGTH)
/** Matches control characters, and marks that reverse the reading order. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/**
 * Matches the start of markup. Suggestions are shown as plain text, so a suggestion with markup is rejected.
 */
const MARKUP = /<[a-z!/?]/i

/**
 * Returns the text on one line. Returns null if it is not a string, is empty, contains markup, or is longer than
 * `maxLength`.
 */
function cleanText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string' || MARKUP.test(value)) return null
  const text = value.toWellFormed().replace(/\s+/g, ' ').replace(UNSAFE, '').trim()
  return text === '' || text.length > maxLength ? null : text
}

/** Parses an untrusted suggestion. Fields with invalid values are left out. */
export function readSuggestion(value: unknown): Suggestion {
  if (typeof value !== 'object' || value === null) return {}
  const said = value as Readonly<Record<string, unknown>>
  const title = cleanText(said['title'], TITLE_MAX_LENGTH)
  const description = cleanText(said['description'], MAX_SUGGESTED_DESCRIPTION)
  const words = Array.isArray(said['tags']) ? said['tags'].slice(0, 100) : []
  const tags = words.map((word) => cleanText(word, TAG_MAX_LENGTH)?.toLowerCase() ?? null)
  const unique = [...new Set(tags.filter((tag) => tag !== null))].slice(0, MAX_SUGGESTED_TAGS)
  return {
    ...(title !== null && { title }),
    ...(description !== null && { description }),
    ...(unique.length > 0 && { tags: unique }),
  }
}
