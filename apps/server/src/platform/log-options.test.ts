import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { logOptions } from './log-options.ts'

function written(fields: object): Record<string, unknown> {
  let line = ''
  const lines = new Writable({
    write(chunk, _encoding, done) {
      line += String(chunk)
      done()
    },
  })
  pino(logOptions('info'), lines).info(fields, 'a line')
  return JSON.parse(line) as Record<string, unknown>
}

it('a log line hides secrets in fields and nested fields, without changing the logged object', () => {
  const request = { path: '/', authorization: 'Bearer abc', token: 't' }
  const line = written({
    request,
    password: 'p',
    secret: { a: 1 },
    names: ['a'],
    at: null,
    err: new Error('no'),
  })
  expect(line).toMatchObject({
    level: 'info',
    msg: 'a line',
    request: { path: '/', authorization: '[redacted]', token: '[redacted]' },
    password: '[redacted]',
    secret: '[redacted]',
    names: ['a'],
    at: null,
    err: { message: 'no' },
  })
  expect(request.token).toBe('t')
})
