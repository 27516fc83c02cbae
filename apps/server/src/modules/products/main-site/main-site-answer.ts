import { MAIN_SITE_MESSAGE_MAX_LENGTH } from '@pegasus/contracts/products/products'

/** What came back from the main site: JSON as a value, anything else as text. */
export interface SiteAnswer {
  status: number
  statusText: string
  /** Whether it is a web page. JSON is none, whatever a server says of its type. */
  isHtml: boolean
  body: unknown
  /** The body as it came. */
  text: string
}

const PAGE = /^\s*<(?:!doctype|html|head|body)\b/i

/** Reads an answer by its text; of the type that the server gives it only what the text leaves open. */
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

/** A field of what may be anything. */
export const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** Elements that hold no words, and what ends them. */
const WORDLESS: readonly [RegExp, RegExp][] = ['script', 'style', 'head'].map((name) => [
  new RegExp(`<${name}\\b`, 'iy'),
  new RegExp(`</${name}\\s*>`, 'ig'),
])

/**
 * What people read of a page: its words. Each character is looked at a few times at most, for a page may be made to be
 * looked at for ever.
 */
function wordsOfHtml(html: string): string {
  /** Those of which no end is left. */
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

/** As it is shown and kept: one line of plain text without what could disguise it, and not too long. */
export function plainWords(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, MAIN_SITE_MESSAGE_MAX_LENGTH).join('')
}

/** JSON as it came, unless what nobody may read stands in it, which its escapes could disguise. */
function asItStands(body: unknown, text: string, hide: (text: string) => string): string {
  const plain = JSON.stringify(body)
  return hide(plain) === plain ? text : plain
}

/**
 * Why the site has refused, in its own words: its message or error field, else its text, else its status. `hide` takes
 * out what nobody may read, before the words are cut: what is cut in two would not be found any more.
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
export function findRemoteValues(body: unknown, slug: string): Readonly<Record<string, unknown>> | null {
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
