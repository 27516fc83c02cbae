import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { describeSchema } from './describe-schema.ts'

it('the API is described for programs and for people, both without a token', async () => {
  const app = await buildTestApp()
  const description = await app.http.inject('/api/openapi.json')
  expect(description.headers['content-type']).toBe('application/json; charset=utf-8')
  const { paths } = description.json<{ paths: Record<string, Record<string, { summary: string }>> }>()
  const page = await app.http.inject('/api/docs')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  // Only the page's own style may apply.
  const nonce = /<style nonce="([^"]+)">/.exec(page.body)?.[1]
  expect(page.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
  expect(page.body).not.toMatch(/<script| style="/)
  const missing = Object.keys(paths).filter((path) => !page.body.includes(`<code>${path}</code>`))
  expect(missing).toEqual([])
  expect((await app.http.inject('/api/docs')).body).not.toContain(nonce)
})

it('schemas are described like types', () => {
  const text = describeSchema({
    type: 'object',
    properties: {
      grams: { type: 'number', exclusiveMinimum: 0, maximum: 1000 },
      kind: { type: 'string', enum: ['use', 'waste'], default: 'use' },
      reason: { anyOf: [{ type: 'string', maxLength: 500 }, { type: 'null' }] },
      ids: { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1 },
      size: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] },
      choices: { type: 'object', additionalProperties: { type: 'boolean' } },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: ['string', 'null'] } } } },
    },
    required: ['grams', 'ids'],
  })
  expect(text).toBe(`{
  grams: number (above 0, up to 1000)
  kind?: "use" | "waste" = "use"
  reason?: string (500 characters at most) | null
  ids: uuid[] (1 or more)
  size?: [number, number]
  choices?: { [name]: boolean }
  lines?: {
    sku?: string | null
  }[]
}`)
})
