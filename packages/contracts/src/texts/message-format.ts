import { parse, type Select, type Token } from '@messageformat/parser'

/** A function that changes each text that is filled into a message, for example so that it keeps its own direction. */
export type WrapText = (text: string) => string

const keepText: WrapText = (text) => text

/** The values of a message's placeholders. Null, undefined, true and false are left out, as in JSX. */
export type MessageValues = Readonly<Record<string, unknown>>

const parsed = new Map<string, Token[]>()

function tokensOf(message: string): Token[] {
  let tokens = parsed.get(message)
  if (!tokens) {
    tokens = parse(message)
    parsed.set(message, tokens)
  }
  return tokens
}

/**
 * Fills the placeholders of a message in ICU format: `{name}`, `{count, plural, one {# piece} other {# pieces}}` and
 * `{kind, select, …}`. Returns the texts and the values in order.
 *
 * @param locale The locale of the message, which decides on plural forms and on the format of `#`.
 * @param wrapText Is called with each text that is filled in.
 * @param split Divides the texts of the message further. It does not get the values.
 * @throws if the message is not in ICU format.
 */
export function formatParts(
  message: string,
  values: MessageValues,
  locale: string,
  wrapText: WrapText = keepText,
  split: (text: string) => unknown[] = (text) => [text],
): unknown[] {
  // Most messages have no placeholder. Two apostrophes in a row are an escape for one, which only the parser resolves.
  if (!message.includes('{') && !message.includes("''")) return split(message)
  return fill(tokensOf(message), { values, locale, wrapText, split, count: 0 })
}

interface Filling {
  values: MessageValues
  locale: string
  wrapText: WrapText
  split: (text: string) => unknown[]
  /** The number that `#` stands for. */
  count: number
}

/** Like `formatParts`, for a message whose values are texts and numbers. */
export const formatMessage = (
  message: string,
  values: MessageValues,
  locale: string,
  wrapText?: WrapText,
): string => formatParts(message, values, locale, wrapText).map(String).join('')

function fill(tokens: readonly Token[], filling: Filling): unknown[] {
  const { values, locale, wrapText, split, count } = filling
  return tokens.flatMap((token): unknown[] => {
    switch (token.type) {
      case 'content':
        return split(token.value)
      case 'octothorpe':
        return [count.toLocaleString(locale)]
      case 'argument':
        return isShown(values[token.arg]) ? [wrap(values[token.arg], wrapText)] : []
      case 'select':
        return fill(findCase(token, [String(values[token.arg])]), filling)
      case 'plural':
      case 'selectordinal': {
        const number = Number(values[token.arg])
        return fill(findCase(token, pluralForms(token.type, number, locale)), { ...filling, count: number })
      }
      case 'function':
        throw new Error(`messages do not use the format "${token.key}"`)
    }
  })
}

/** Returns the content of the first of these forms that the message has, otherwise the content of `other`. */
const findCase = ({ cases }: Select, forms: readonly string[]): Token[] =>
  [...forms, 'other'].flatMap((form) => cases.filter(({ key }) => key === form))[0]?.tokens ?? []

const pluralForms = (type: 'plural' | 'selectordinal', count: number, locale: string): string[] => [
  `=${count}`,
  rulesOf(type === 'plural' ? 'cardinal' : 'ordinal', locale).select(count),
]

// Creating the rules takes much longer than using them.
const rules = new Map<string, Intl.PluralRules>()

function rulesOf(type: 'cardinal' | 'ordinal', locale: string): Intl.PluralRules {
  const key = `${type} ${locale}`
  let found = rules.get(key)
  if (!found) {
    found = new Intl.PluralRules(locale, { type })
    rules.set(key, found)
  }
  return found
}

const wrap = (value: unknown, wrapText: WrapText): unknown =>
  typeof value === 'string' ? wrapText(value) : value

const isShown = (value: unknown): boolean =>
  value !== null && value !== undefined && typeof value !== 'boolean'
