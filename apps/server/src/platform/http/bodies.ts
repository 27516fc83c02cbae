import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/**
 * JSON bodies, read strictly: UTF-8 without damage, no `__proto__`. An empty body is no body: the hosted
 * service's client sends the JSON content type with nothing in it on sign-out and on deletes.
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
      return done(new AppError('MALFORMED_REQUEST', { say: 'The body is not valid UTF-8.', cause }))
    }
    return parseJson(request, text, (error, value) =>
      error
        ? done(new AppError('MALFORMED_REQUEST', { say: 'The body is not valid JSON.', cause: error }))
        : done(null, value),
    )
  })
}
