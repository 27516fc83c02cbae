import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/**
 * The maximum nesting of a JSON body. No valid body is nearly this deep. A very deep body would exhaust the stack of
 * recursive code, such as validation.
 */
const MAX_DEPTH = 100

function isTooDeep(json: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (isInText) {
      if (character === '\\') at += 1
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/**
 * Accepts JSON bodies and parses them strictly: valid UTF-8, no `__proto__`. An empty body is allowed,
 * because on sign-out and deletes the hosted service's client sends the JSON content type without a body.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    let text: string
    try {
      text = utf8.decode(body as Buffer)
    } catch (cause) {
      return done(new AppError('MALFORMED_REQUEST', { text: 'The body is not valid UTF-8.', cause }))
    }
    if (isTooDeep(text))
      return done(
        new AppError('MALFORMED_REQUEST', { text: 'The values in the body are nested too deeply.' }),
      )
    return parseJson(request, text, (error, value) =>
      error
        ? done(new AppError('MALFORMED_REQUEST', { text: 'The body is not valid JSON.', cause: error }))
        : done(null, value),
    )
  })
}
