import { hash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { describeSchema } from './describe-schema.ts'
import { documentPathOf } from './openapi.ts'

it('the OpenAPI document and the API docs page are both public', async () => {
  const app = await buildTestApp()
  const description = await app.http.inject('/api/openapi.json')
  expect(description.headers['content-type']).toBe('application/json; charset=utf-8')
  const { paths } = description.json<{ paths: Record<string, Record<string, { summary: string }>> }>()
  const page = await app.http.inject('/api/docs')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  // The content security policy allows only the page's own style.
  const style = /<style>([^<]+)<\/style>/.exec(page.body)?.[1] ?? ''
  expect(page.headers['content-security-policy']).toContain(`'sha256-${hash('sha256', style, 'base64')}'`)
  expect(page.body).not.toMatch(/<script| style="/)
  const missing = Object.keys(paths).filter((path) => !page.body.includes(`<code>${path}</code>`))
  expect(missing).toEqual([])
})

it('the OpenAPI document contains a successful response of every call, even if the response is not JSON', async () => {
  const app = await buildTestApp()
  type Responses = Record<string, { content?: Record<string, unknown> }>
  const { paths } = (await app.http.inject('/api/openapi.json')).json<{
    paths: Record<string, Record<string, { responses: Responses }>>
  }>()
  const without = app.endpoints.all.filter(({ method, path, access, success }) => {
    const documented = paths[documentPathOf(path)]?.[method.toLowerCase()]
    return access !== 'nobody' && documented?.responses[success.status] === undefined
  })
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  const responsesOf = (method: string, path: string) => paths[path]?.[method]?.responses
  expect(responsesOf('get', '/api/quick-start')?.['200']?.content).toHaveProperty('application/pdf')
  expect(responsesOf('delete', '/api/inventory/{id}')?.['204']).toEqual({ description: 'No body' })
})

it('the OpenAPI document lists the header Idempotency-Key at exactly the calls that accept it', async () => {
  type Operation = { parameters?: { name: string; in: string; required?: boolean }[] }
  const app = await buildTestApp()
  const { paths } = (await app.http.inject('/api/openapi.json')).json<{
    paths: Record<string, Record<string, Operation>>
  }>()
  const wrong = app.endpoints.all.filter(({ method, path, errors }) => {
    const { parameters = [] } = paths[documentPathOf(path)]?.[method.toLowerCase()] ?? {}
    const header = parameters.find(({ name }) => name === 'Idempotency-Key')
    if (!errors.includes('IDEMPOTENCY_KEY_REUSED')) return header !== undefined
    return header?.in !== 'header' || header.required === true
  })
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

it('a client can be generated from the OpenAPI document: names are unique, and parameters, references and security are complete', async () => {
  interface Operation {
    operationId: string
    security?: Record<string, unknown>[]
    parameters?: { name: string; in: string; required?: boolean }[]
  }
  const app = await buildTestApp()
  const { body } = await app.http.inject('/api/openapi.json')
  const { paths, servers, components } = JSON.parse(body) as {
    paths: Record<string, Record<string, Operation>>
    servers: object[]
    components: { schemas?: object; securitySchemes: object }
  }
  expect(servers).toEqual([{ url: '/' }])
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  )
  expect(operations.length).toBeGreaterThan(400)
  const ids = operations.map(({ operationId }) => operationId)
  expect(ids.filter((id, index) => !/^[a-z]\w*$/.test(id) || ids.indexOf(id) !== index)).toEqual([])
  expect(ids).toEqual(expect.arrayContaining(['getApiInventoryById', 'postAuthLogin']))
  const wrong = operations.filter(({ path, parameters = [], security }) => {
    const declared = parameters.filter((each) => each.in === 'path' && each.required).map(({ name }) => name)
    const used = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
    const schemes = security?.flatMap((each) => Object.keys(each))
    return (
      path.endsWith('/') ||
      declared.toSorted().join() !== used.toSorted().join() ||
      !schemes?.every((scheme) => scheme in components.securitySchemes)
    )
  })
  expect(wrong.map(({ operationId }) => operationId)).toEqual([])
  const references = [...body.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name = '']) => name,
  )
  expect(references.filter((name) => !(name in (components.schemas ?? {})))).toEqual([])
})

it.each(['/api/openapi.json', '/api/docs'])(
  '%s is built once, sent compressed, and answered with 304 to a client that already has it',
  async (url) => {
    const app = await buildTestApp()
    const plain = await app.http.inject(url)
    const get = (headers: Record<string, string>) => app.http.inject({ url, headers })
    const brotli = await get({ 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)
    const gzipped = await get({ 'accept-encoding': 'gzip, br;q=0' })
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(plain.body)
    const etag = String(plain.headers.etag)
    const known = await get({ 'if-none-match': `"other", ${etag}` })
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag])
    expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  },
)

it('describeSchema describes schemas like TypeScript types', () => {
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
