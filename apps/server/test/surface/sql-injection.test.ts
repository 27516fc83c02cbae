import type { Endpoint } from '@pegasus/contracts/endpoint'
import { expect, it } from 'vitest'
import { isLongRun } from '../process/product-process.ts'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { type ShopIds, fillShop } from './cost/fill-shop.ts'
import { largestValue, type ValueSchema } from './cost/largest-values.ts'
import { pathOf, schemaOf } from './cost/requests.ts'
import { admittedTo, callersOf } from './cost/walk.ts'

/** Beginnings of payloads that could end a value in SQL: a text, an identifier, a list, or a dollar-quoted text. */
const ENDS = ['', "'", '"', "')", '")', "'))", '`', '$$', String.raw`\'`, '’', "'::text"]
/** Ends of payloads with SQL: conditions, further statements, errors that depend on data, and delays. */
const ATTACKS = [
  ' OR 1=1--',
  " OR 'a'='a",
  ' UNION SELECT null,null--',
  '; SELECT pg_sleep(20)--',
  '||pg_sleep(20)||',
  '; DROP TABLE items CASCADE--',
  '; DELETE FROM accounts--',
  ' AND 1=(SELECT 1/0)--',
  '/**/OR/**/true#',
  ' ORDER BY 99--',
  ',(SELECT version())',
  '; UPDATE accounts SET role = $q$owner$q$--',
  '->>(SELECT 1/0)',
]
const PAYLOADS = [
  ...ENDS.flatMap((end) => ATTACKS.map((attack) => end + attack)),
  'created_at desc, (select pg_sleep(20))',
  'name; desc',
  "id->>'x'",
  '{1,2}',
  'ARRAY[1]',
  "E'\\\\x41'",
  '(select 1)',
  '%',
  '_______',
]

/** Time in ms that a request takes only if the database has executed the delay in a payload. */
const DELAYED_MS = 20_000
/**
 * Number of payloads for each parameter. The short run also sends every payload many times, but to different
 * parameters.
 */
const PAYLOADS_PER_PARAMETER = isLongRun ? PAYLOADS.length : 1

let sent = 0
const nextPayloads = (): string[] =>
  Array.from({ length: PAYLOADS_PER_PARAMETER }, () => PAYLOADS[(sent += 1) % PAYLOADS.length] ?? '')

/** Returns the words of a payload, without the characters that have a meaning in SQL. */
const asWords = (payload: string): string => payload.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim() || 'words'

interface Sent {
  what: string
  url: string
  body?: unknown
  /**
   * The URL of the same request, with the payload reduced to its words. It must return at least as many objects as the
   * payload, because its condition is weaker.
   */
  harmless?: string
}

/** Yields a copy of the value for each text in it. In each copy, another text is replaced. */
function* replaceEachText(value: unknown, text: () => string): Generator<unknown> {
  if (typeof value === 'string') yield text()
  else if (Array.isArray(value)) for (const one of replaceEachText(value[0], text)) yield [one]
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      for (const replaced of replaceEachText(inner, text)) yield { ...value, [name]: replaced }
}

function* requestsTo(endpoint: Endpoint, ids: ShopIds): Generator<Sent> {
  const { path } = endpoint
  const url = pathOf(path, ids)
  for (const name of path.match(/:\w+|\*/g) ?? [])
    for (const payload of nextPayloads())
      yield {
        what: `${name} = ${payload}`,
        url: pathOf(
          path.replace(name, () => '\0'),
          ids,
        ).replace('\0', () => encodeURIComponent(payload)),
      }
  for (const name of Object.keys(schemaOf(endpoint.query)?.properties ?? {}))
    for (const payload of nextPayloads()) {
      const query = (value: string) => `${url}?${new URLSearchParams({ [name]: value })}`
      yield { what: `${name} = ${payload}`, url: query(payload), harmless: query(asWords(payload)) }
    }
  const schema = schemaOf(endpoint.body)
  if (!schema || endpoint.fileField || endpoint.isRawBody) return
  const body = largestValue(schema as ValueSchema, { name: 'body', path, ids, budget: 40 })
  for (let round = 0; round < PAYLOADS_PER_PARAMETER; round += 1) {
    let payload = ''
    for (const changed of replaceEachText(body, () => (payload = nextPayloads()[0] ?? '')))
      yield { what: payload, url, body: changed }
  }
}

const send = (
  app: TestApp,
  { method, path }: Endpoint,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
) =>
  app.http.inject({
    method,
    url,
    headers: { ...headers, 'if-match': '*' },
    remoteAddress: '10.0.0.1',
    ...(body !== undefined && { payload: body as object }),
    // An event stream never ends, so only its headers are read.
    payloadAsStream: path === '/api/events',
  })

const countObjects = (body: string): number => body.match(/"id":/g)?.length ?? 0

it('T89 SQL in a parameter of any endpoint acts as plain text', { timeout: 900_000 }, async () => {
  const app = await buildTestApp({
    variables: { API_KEY_REQUESTS_PER_MINUTE: '1000000' },
    checksJson: false,
  })
  const callers = await callersOf(app)
  for (const caller of callers) await caller.headers()
  const ids = await fillShop(app, 20)
  const wrong: string[] = []
  let calls = 0
  let succeeded = 0
  // Send reads before changes, because the changes create objects that contain the payloads.
  const endpoints = app.endpoints.all.toSorted(
    (a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'),
  )
  for (const endpoint of endpoints) {
    const caller = callers.find(({ name }) => name === admittedTo(endpoint))
    if (endpoint.access === 'nobody' || !caller) continue
    for (const { what, url, body, harmless } of requestsTo(endpoint, ids)) {
      const startedAt = performance.now()
      const response = await send(app, endpoint, url, await caller.headers(), body)
      const ms = performance.now() - startedAt
      caller.saw(endpoint.method, response.statusCode)
      calls += 1
      const where = `${endpoint.method} ${endpoint.path}, ${what}: ${response.statusCode}`
      if (endpoint.path === '/api/events') {
        response.stream().destroy()
        continue
      }
      if (response.statusCode >= 500) wrong.push(`${where} ${response.body}`)
      if (ms > DELAYED_MS) wrong.push(`${where} after ${ms.toFixed(0)} ms`)
      if (response.statusCode >= 300) continue
      succeeded += 1
      if (!harmless || endpoint.method !== 'GET') continue
      const words = await send(app, endpoint, harmless, await caller.headers())
      if (words.statusCode < 300 && countObjects(response.body) > countObjects(words.body))
        wrong.push(`${where}: ${countObjects(response.body)} objects instead of ${countObjects(words.body)}`)
    }
  }
  console.info(`T89 wrong ${wrong.length} of ${calls} calls, ${succeeded} of them successful`)
  expect(wrong).toEqual([])
  const [kept] = await app.database.sql<{ items: number; owners: number }[]>`
    select (select count(*)::int from items) as items,
      (select count(*)::int from user_roles where role_name = 'owner' and is_active) as owners`
  expect(kept?.items).toBeGreaterThan(0)
  expect(kept?.owners).toBeGreaterThan(0)
  expect(succeeded).toBeGreaterThan(100)
})
