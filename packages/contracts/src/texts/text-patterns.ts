import { formatMessage, type WrapText } from './message-format.ts'

/**
 * A number that was found in a text. It is shown in the format of the person's language, and decides on plural forms.
 */
class PatternNumber {
  readonly #value: number
  readonly #locale: string

  constructor(text: string, locale: string) {
    this.#value = Number(text.replaceAll(',', ''))
    this.#locale = locale
  }

  valueOf(): number {
    return this.#value
  }

  toString(): string {
    return this.#value.toLocaleString(this.#locale, { maximumFractionDigits: 10 })
  }
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** A date falls on every weekday at least once in this number of years, because the calendar then repeats. */
const WEEKDAY_CYCLE_YEARS = 28

/** Translates a day such as `Friday 27 November`. A day that does not exist stays English. */
function formatDay(text: string, locale: string): string {
  const [weekday = '', day = '', month = ''] = text.split(' ')
  for (let year = 2000; year < 2000 + WEEKDAY_CYCLE_YEARS; year += 1) {
    const date = new Date(Date.UTC(year, MONTHS.indexOf(month), Number(day)))
    if (WEEKDAYS[date.getUTCDay()] !== weekday || MONTHS[date.getUTCMonth()] !== month) continue
    return date.toLocaleDateString(locale, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    })
  }
  return text
}

/**
 * Matches a placeholder of a pattern: `{name}`, `{max, number}`, `{until, day}`, `{field, text}` or `{reasons, list}`.
 */
const PLACEHOLDER = /\{(\w+)(?:, (number|day|text|list))?\}/g
/** Matches the separators in an English list such as `a, b and c`. */
const LIST_SEPARATOR = /, and | and |, /

interface Pattern {
  /** Matches the whole English text. It has a group for each placeholder. */
  expression: RegExp
  placeholders: readonly { name: string; kind: string | undefined }[]
  translation: string
  /**
   * Number of characters outside the placeholders. The patterns with the most are tried first, because they are the
   * most exact.
   */
  fixedLength: number
}

/** Regular expressions for numbers and days. Every other kind of placeholder matches any text. */
const SOURCES: Readonly<Record<string, string>> = {
  number: String.raw`(-?\d[\d,]*(?:\.\d+)?)`,
  day: String.raw`([A-Z][a-z]+day \d{1,2} [A-Z][a-z]+)`,
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

function compile([pattern, translation]: readonly [string, string]): Pattern {
  // The split gives three parts for each placeholder: the fixed text before it, its name, and its kind.
  const parts = pattern.split(PLACEHOLDER)
  const placeholders: { name: string; kind: string | undefined }[] = []
  let source = ''
  let fixedLength = 0
  for (let index = 0; index < parts.length; index += 3) {
    const fixed = parts[index] ?? ''
    const name = parts[index + 1]
    const kind = parts[index + 2]
    source += escaped(fixed)
    fixedLength += fixed.length
    if (name === undefined) continue
    placeholders.push({ name, kind })
    source += SOURCES[kind ?? ''] ?? '(.+?)'
  }
  return { expression: new RegExp(`^${source}$`, 's'), placeholders, translation, fixedLength }
}

/**
 * Returns a function that translates the English texts of the server. The catalog maps patterns to messages in ICU
 * format. A pattern is a text, in which `{name}` stands for any text, `{max, number}` for a number, `{until, day}` for a
 * day such as `Friday 27 November`, `{field, text}` for a text that is translated too, and `{reasons, list}` for a list
 * of such texts. A text that no pattern matches stays English.
 *
 * @param wrapText Is called with each text that stands for a placeholder.
 */
export function createTextTranslator(
  catalog: Readonly<Record<string, string>>,
  locale: string,
  wrapText?: WrapText,
): (text: string) => string {
  const patterns = Object.entries(catalog)
    .filter(([pattern]) => pattern.includes('{'))
    .map(compile)
    .toSorted((one, other) => other.fixedLength - one.fixedLength)

  const list = new Intl.ListFormat(locale)
  const translate = (text: string): string => {
    const whole = Object.hasOwn(catalog, text) ? catalog[text] : undefined
    if (whole !== undefined) return whole
    for (const { expression, placeholders, translation } of patterns) {
      const found = expression.exec(text)
      if (!found) continue
      const values = placeholders.map(({ name, kind }, index) => {
        const value = found[index + 1] ?? ''
        if (kind === 'number') return [name, new PatternNumber(value, locale)]
        if (kind === 'day') return [name, formatDay(value, locale)]
        if (kind === 'list') return [name, list.format(value.split(LIST_SEPARATOR).map(translate))]
        return [name, kind === 'text' ? translate(value) : value]
      })
      return formatMessage(translation, Object.fromEntries(values), locale, wrapText)
    }
    return text
  }
  return translate
}
