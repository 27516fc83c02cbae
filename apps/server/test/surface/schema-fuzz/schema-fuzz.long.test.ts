import type { Endpoint } from '@pegasus/contracts/endpoint'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { randomFrom } from '../../simulation/random.ts'
import { type TestApp, buildTestApp } from '../../support/build-test-app.ts'
import { fillShop } from '../cost/fill-shop.ts'
import { admittedTo, callersOf } from '../cost/walk.ts'
import { type Operation, randomRequest } from './random-request.ts'

const LONG_MS = 30 * 60_000
/** The share of values that ignore the schema, for each request that an endpoint gets in a round. */
const INVALID_SHARES = [0, 0.15]
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/**
 * Statuses of responses if a shop, a printer or an object store is unreachable. The OpenAPI document declares
 * them.
 */
const DECLARED_FAILURES = [502, 503, 507]

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Returns the operation that describes an endpoint in the OpenAPI document. */
function operationOf(paths: Paths, { method, path }: Endpoint): Operation {
  const operation = paths[path.replace(/:(\w+)/g, '{$1}').replace('*', '{*}')]?.[method.toLowerCase()]
  if (!operation) throw new Error(`${method} ${path} is not in the document`)
  return operation
}

/**
 * Returns a function that describes the fault of a response, or returns null. A server error is a fault, and so
 * is a successful JSON response that does not match its schema in the document.
 */
function responseCheck() {
  const schemas = new Map<object, z.ZodType>()
  return (operation: Operation, statusCode: number, body: string): string | null => {
    const declared = operation.responses[statusCode]
    if (statusCode >= 500) return declared && DECLARED_FAILURES.includes(statusCode) ? null : body
    if (statusCode >= 300) return null
    if (!declared) return `undeclared status, ${body.slice(0, 300)}`
    const schema = declared.content?.['application/json']?.schema
    if (!schema || schema.format === 'binary') return null
    if (!schemas.has(schema)) schemas.set(schema, z.fromJSONSchema(schema as never))
    const { error } = schemas.get(schema)!.safeParse(JSON.parse(body))
    return error ? `${z.prettifyError(error).slice(0, 300)}, ${body.slice(0, 300)}` : null
  }
}

async function fuzzApi(app: TestApp, seed: number, durationMs: number) {
  const endsAt = Date.now() + durationMs
  const { paths } = (await app.http.inject('/api/openapi.json')).json<{ paths: Paths }>()
  const random = randomFrom(seed)
  const check = responseCheck()
  const ids = await fillShop(app, 20)
  const callers = await callersOf(app)
  const endpoints = app.endpoints.all
    .filter(({ access, path }) => access !== 'nobody' && path !== '/api/events')
    .toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
  const wrong = new Map<string, string>()
  const accepted = new Set<string>()
  let calls = 0
  while (Date.now() < endsAt)
    for (const endpoint of endpoints)
      for (const invalidShare of INVALID_SHARES) {
        const route = `${endpoint.method} ${endpoint.path}`
        const operation = operationOf(paths, endpoint)
        const caller = callers.find(({ name }) => name === admittedTo(endpoint))!
        const request = await randomRequest(endpoint, operation, { ids, random, invalidShare })
        const headers = { ...(await caller.headers()), ...request.headers }
        const remoteAddress = `10.1.${calls % 256}.${(calls >> 8) % 256}`
        const answer = await app.http.inject({ ...request, method: endpoint.method, headers, remoteAddress })
        caller.saw(endpoint.method, answer.statusCode)
        calls += 1
        if (answer.statusCode < 400) accepted.add(route)
        const difference = check(operation, answer.statusCode, answer.body)
        if (difference !== null)
          wrong.set(
            `${route} ${answer.statusCode}`,
            `${difference} ${request.url} ${String(request.payload)}`,
          )
      }
  return { calls, endpoints: endpoints.length, accepted: accepted.size, wrong: Object.fromEntries(wrong) }
}

it('T86 random valid and invalid values cause no server error, and each successful response matches the OpenAPI document', async () => {
  const app = await buildTestApp({ variables: { API_KEY_REQUESTS_PER_MINUTE: '1000000' } })
  const seed = Date.now()
  const { calls, endpoints, accepted, wrong } = await fuzzApi(app, seed, LONG_MS)
  console.info(
    `T86 wrong responses ${Object.keys(wrong).length} of ${calls}, ${endpoints} endpoints, ${accepted} accepted a request, seed ${seed}`,
  )
  expect(wrong).toEqual({})
  expect(accepted).toBeGreaterThan(endpoints / 2)
})
