import { declareEndpoints } from '@pegasus/contracts/endpoint'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { TestClock } from '../../../../test/support/build-test-app.ts'
import { createEndpoints } from '../endpoints.ts'
import { serializerCompiler } from '../serializer.ts'

const { get } = declareEndpoints('stats', {})
const listWords = get('/words', 'public', {
  summary: 'Words',
  returns: z.array(z.object({ word: z.string() })),
})

async function sending(json: string, options: { checksJson: boolean; known?: string }) {
  const { checksJson, known } = options
  const http = Fastify({ genReqId: () => 'test' })
  http.setValidatorCompiler(() => () => true)
  http.setSerializerCompiler(serializerCompiler)
  const endpoints = createEndpoints(http, { guard: async () => null, clock: new TestClock(), checksJson })
  endpoints.add(listWords, async () => ({ body: Buffer.from(json), tag: '"t"', next: 'abc', total: 1001 }))
  onTestFinished(() => http.close())
  return http.inject({ url: '/words', headers: known === undefined ? {} : { 'if-none-match': known } })
}

it('a page of JSON from the database is sent unchanged, and headers give the total and the next page', async () => {
  const answer = await sending('[{"word": "a"}]', { checksJson: true })
  expect(answer.body).toBe('[{"word": "a"}]')
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-total-count': '1000',
    'x-total-count-capped': 'true',
    link: '</words?cursor=abc>; rel="next"',
    etag: '"t"',
  })
})

it.each([
  ['"t"', 304],
  ['"s", W/"t"', 304],
  ['"s"', 200],
])(
  'if a page has the tag "t", a request with the If-None-Match header %s gets the status %i',
  async (known, status) => {
    const answer = await sending('[]', { checksJson: true, known })
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toBe(status === 304 ? '' : '[]')
    expect(answer.headers).toMatchObject({ etag: '"t"', 'x-total-count': '1000' })
  },
)

it.each([
  ['an undeclared field', '[{"word": "a", "secret": 1}]'],
  ['a wrong field', '[{"word": 1}]'],
  ['no list', '{}'],
])('a test run refuses a page of JSON from the database if it has %s', async (_, json) => {
  expect((await sending(json, { checksJson: true })).statusCode).toBe(500)
  expect((await sending(json, { checksJson: false })).statusCode).toBe(200)
})
