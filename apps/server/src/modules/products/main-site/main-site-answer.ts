import { MAIN_SITE_WORDS_MAX_LENGTH } from '@pegasus/contracts/products'

/** What came back from the main site: JSON as a value, anything else as text. */
export interface SiteAnswer {
  status: number
  statusText: string
  isHtml: boolean
  body: unknown
}

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** What people read of a page: its words. */
const wordsOfHtml = (html: string): string =>
  html.replace(/<(script|style|head)\b[\s\S]*?<\/\1\s*>/gi, ' ').replace(/<[^>]*>/g, ' ')

/** As it is shown and kept: one line of plain text without what could disguise it, and not too long. */
export function plainWords(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, MAIN_SITE_WORDS_MAX_LENGTH).join('')
}

/**
 * Why the site has refused, in its own words: its message or error field, else its text, else its status. `hide` takes
 * out what nobody may read, before the words are cut: what is cut in two would not be found any more.
 */
export function wordsOf(
  { status, statusText, isHtml, body }: SiteAnswer,
  hide: (text: string) => string,
): string {
  const error = fieldOf(body, 'error')
  const said =
    textOf(fieldOf(body, 'message')) ??
    textOf(error) ??
    textOf(fieldOf(error, 'message')) ??
    (typeof body === 'object' && body !== null ? JSON.stringify(body) : textOf(body))
  const words = plainWords(hide(said === null ? '' : isHtml ? wordsOfHtml(said) : said))
  return words === '' ? plainWords(hide(`HTTP ${status}: ${statusText}`)) : words
}

/** What the site calls a product that it has taken, as far as it says so. */
export function productOf(
  body: unknown,
  siteUrl: string,
  hide: (text: string) => string,
): { id: string | null; url: string | null } {
  const within = fieldOf(body, 'product') ?? fieldOf(body, 'data') ?? body
  const id = fieldOf(within, 'id') ?? fieldOf(body, 'id')
  const url = textOf(fieldOf(within, 'url')) ?? textOf(fieldOf(body, 'url'))
  return {
    id: typeof id === 'string' || typeof id === 'number' ? plainWords(hide(String(id))).slice(0, 200) : null,
    url: url === null ? null : webAddress(hide(url), siteUrl),
  }
}

/** The fields of a product that was asked for by its slug; null where the answer is about nothing of that slug. */
export function findTold(body: unknown, slug: string): Readonly<Record<string, unknown>> | null {
  const within = fieldOf(body, 'product') ?? fieldOf(body, 'data') ?? body
  return fieldOf(within, 'slug') === slug ? (within as Record<string, unknown>) : null
}

/** An address on the web, which the site may say from its own point of view; null for anything else. */
function webAddress(text: string, siteUrl: string): string | null {
  if (!URL.canParse(text, `${siteUrl}/`)) return null
  const { protocol, href } = new URL(text, `${siteUrl}/`)
  return /^https?:$/.test(protocol) && href.length <= 2000 ? href : null
}

/** Whether an answer that says it went well is one: a web page comes from somebody else than a shop's interface. */
export function doubtOf({ isHtml, body }: SiteAnswer): string | null {
  if (isHtml) return 'The main site answered with a web page instead of taking the product.'
  if (fieldOf(body, 'success') === false || fieldOf(body, 'ok') === false)
    return 'The main site says that it did not take the product.'
  return null
}
