import { AppError } from '../../../platform/errors/app-error.ts'
import { shown } from './columns.ts'

/** Returns a REST_QUERY_MALFORMED error. It names the part of the query that cannot be read, and the reason. */
export const malformed = (part: string, text: string, details: string): AppError =>
  new AppError('REST_QUERY_MALFORMED', {
    text: `"failed to parse ${part} (${shown(text)})" (line 1, column 1)`,
    body: { details },
  })

/**
 * Splits a list at its commas, except at commas inside parentheses or quotes. An empty text is an empty list. Throws
 * REST_QUERY_MALFORMED for more than `max` items, and for an unclosed parenthesis or quote.
 */
export function splitList(text: string, part: string, max: number): string[] {
  if (text === '') return []
  const items: string[] = []
  let [depth, begin, isQuoted] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    else if (character === ',' && depth === 0) {
      items.push(text.slice(begin, at))
      begin = at + 1
    }
    if (depth < 0) break
  }
  if (depth !== 0 || isQuoted) throw malformed(part, text, 'a parenthesis or a quote has no other half')
  items.push(text.slice(begin))
  if (items.length > max) throw malformed(part, text, `more than ${max} items`)
  return items
}

/** Returns the value of a quoted text such as `"a, \"b\""`. Returns any other text unchanged. */
export const unquote = (text: string): string =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text
