import { isWebAddress } from '@pegasus/contracts/web-address'
import { MAIN_SITE_MESSAGE_MAX_LENGTH } from '@pegasus/contracts/products/publishing'

/** A response of the main site: parsed JSON, or text. */
export interface SiteAnswer {
  status: number
  statusText: string
  /** Whether the response is a web page. False for JSON, regardless of its content type. */
  isHtml: boolean
  body: unknown
  /** The body, unchanged. */
  text: string
}

const PAGE = /^\s*<(?:!doctype|html|head|body)\b/i

/**
 * Parses a response. Whether it is JSON or a web page is detected from its text. The content type is used only if the
 * text is ambiguous.
 */
export function readAnswer(answer: {
  status: number
  statusText: string
  type: string
  text: string
}): SiteAnswer {
  const { status, statusText, type, text } = answer
  try {
    return { status, statusText, isHtml: false, body: JSON.parse(text) as unknown, text }
  } catch {
    return { status, statusText, isHtml: /\bhtml\b/i.test(type) || PAGE.test(text), body: text, text }
  }
}

/** Returns a field of a value that may not be an object. Returns undefined if there is no such field. */
export const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** The start tag and the end tag of each element without visible text. */
const WORDLESS: readonly [RegExp, RegExp][] = ['script', 'style', 'head'].map((name) => [
  new RegExp(`<${name}\\b`, 'iy'),
  new RegExp(`</${name}\\s*>`, 'ig'),
])

/**
 * Returns the visible text of a page. Reads each character only a small, fixed number of times, so that no page can
 * make this slow on purpose.
 */
function wordsOfHtml(html: string): string {
  /** End tags that do not occur in the rest of the page. They are not searched for again. */
  const endless = new Set<RegExp>()
  const endOfWordless = (at: number): number | null => {
    for (const [begin, end] of WORDLESS) {
      begin.lastIndex = at
      if (endless.has(end) || !begin.test(html)) continue
      end.lastIndex = at
      if (end.test(html)) return end.lastIndex
      endless.add(end)
    }
    return null
  }
  const words: string[] = []
  for (let at = 0; ; ) {
    const tag = html.indexOf('<', at)
    const close = tag === -1 ? -1 : html.indexOf('>', tag)
    if (close === -1) return [...words, html.slice(at)].join(' ')
    words.push(html.slice(at, tag))
    at = endOfWordless(tag) ?? close + 1
  }
}

/**
 * Converts a text to one line for display: replaces control characters and characters that change the text direction by
 * spaces, and cuts the line to the maximum length.
 */
export function plainWords(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, MAIN_SITE_MESSAGE_MAX_LENGTH).join('')
}

/**
 * Returns the JSON as received, or serialized again if it contains secrets. Escape sequences in the received text could
 * otherwise hide a secret from `hide`.
 */
function asItStands(body: unknown, text: string, hide: (text: string) => string): string {
  const plain = JSON.stringify(body)
  return hide(plain) === plain ? text : plain
}

/**
 * Returns the site's reason for a refusal: the `message` or `error` field of the response, otherwise its text,
 * otherwise its status. `hide` runs before the text is cut, because it would not recognize half a secret.
 */
export function wordsOf(
  { status, statusText, isHtml, body, text }: SiteAnswer,
  hide: (text: string) => string,
): string {
  const error = fieldOf(body, 'error')
  const said =
    textOf(fieldOf(body, 'message')) ??
    textOf(error) ??
    textOf(fieldOf(error, 'message')) ??
    textOf(typeof body === 'string' ? body : asItStands(body, text, hide))
  const words = plainWords(hide(said === null ? '' : isHtml ? wordsOfHtml(said) : said))
  return words === '' ? plainWords(hide(`HTTP ${status}: ${statusText}`)) : words
}

/** Returns the site's id and address for an accepted product, if the response contains them. */
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

/** Message for a response that does not contain the requested product. */
export const OTHER_PRODUCT = 'The response of the main site does not contain this product.'

/**
 * Returns the product in the response to a request by slug. Returns null if the response does not contain a product
 * with this slug.
 */
export function findRemoteValues(body: unknown, slug: string): Readonly<Record<string, unknown>> | null {
  const within = fieldOf(body, 'product') ?? fieldOf(body, 'data') ?? body
  return fieldOf(within, 'slug') === slug ? (within as Record<string, unknown>) : null
}

/** Parses a web address, which may be relative to the site. Returns null for anything else. */
function webAddress(text: string, siteUrl: string): string | null {
  if (!URL.canParse(text, `${siteUrl}/`)) return null
  const { href } = new URL(text, `${siteUrl}/`)
  return isWebAddress(href) && href.length <= 2000 ? href : null
}

const isError = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== ''

/**
 * Returns the reason why a response with a success status does not prove that the site has the product. Returns null if
 * it does: the response must contain an object with the slug and an id, and no error.
 */
export function findProblem({ isHtml, body }: SiteAnswer, slug: string): string | null {
  if (isHtml) return 'The main site returned a web page instead of accepting the product.'
  const product = findRemoteValues(body, slug)
  const saysNo = fieldOf(body, 'success') === false || fieldOf(body, 'ok') === false
  const errors = [body, product].flatMap((part) => [fieldOf(part, 'error'), fieldOf(part, 'errors')])
  if (saysNo || errors.some(isError)) return 'The main site reports that it did not accept the product.'
  return product !== null && hasId(body) ? null : OTHER_PRODUCT
}

const hasId = (body: unknown): boolean => {
  const within = fieldOf(body, 'product') ?? fieldOf(body, 'data')
  const id = fieldOf(within, 'id') ?? fieldOf(body, 'id')
  return typeof id === 'number' || textOf(id) !== null
}

/**
 * Returns whether a success response that lacks part of the product still suggests that the site has it: an object that
 * says `success` or `ok`, or has an id or the slug, and nothing in it contradicts that. Call it only if `findProblem`
 * returned OTHER_PRODUCT.
 */
export function isPlausible({ body }: SiteAnswer, slug: string): boolean {
  if (Array.isArray(body)) return false
  const within = fieldOf(body, 'product') ?? fieldOf(body, 'data') ?? body
  if (Array.isArray(within)) return false
  const reportedSlug = fieldOf(within, 'slug') ?? fieldOf(body, 'slug')
  if (reportedSlug !== undefined) return reportedSlug === slug
  return fieldOf(body, 'success') === true || fieldOf(body, 'ok') === true || hasId(body)
}
