import { expect, it } from 'vitest'
import { randomFrom } from '../../simulation/random.ts'
import { type TestApp, buildTestApp } from '../../support/build-test-app.ts'
import { fillShop } from '../cost/fill-shop.ts'
import { admittedTo, callersOf } from '../cost/walk.ts'
import { randomRequest } from './random-request.ts'
import { createResponseCheck } from './response-check.ts'

const LONG_MS = 30 * 60_000
/** In each round, an endpoint gets one request for each of these probabilities that a part ignores the schema. */
const INVALID_SHARES = [0, 0.15]
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

async function fuzzApi(app: TestApp, seed: number, durationMs: number) {
  const endsAt = Date.now() + durationMs
  const random = randomFrom(seed)
  const check = await createResponseCheck(app)
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
        const operation = check.operationOf(endpoint)
        const caller = callers.find(({ name }) => name === admittedTo(endpoint))!
        const request = await randomRequest(endpoint, operation, { ids, random, invalidShare })
        const headers = { ...(await caller.headers()), ...request.headers }
        const remoteAddress = `10.1.${calls % 256}.${(calls >> 8) % 256}`
        const answer = await app.http.inject({ ...request, method: endpoint.method, headers, remoteAddress })
        caller.saw(endpoint.method, answer.statusCode)
        calls += 1
        if (answer.statusCode < 400) accepted.add(route)
        const difference = check.differenceOf(endpoint, answer)
        if (difference !== null)
          wrong.set(
            `${route} ${answer.statusCode}`,
            `${difference} ${request.url} ${String(request.payload)}`,
          )
      }
  return { calls, endpoints: endpoints.length, accepted: accepted.size, wrong: Object.fromEntries(wrong) }
}

it('T86 random valid and invalid values cause no server error, and each response matches the OpenAPI document', async () => {
  const app = await buildTestApp({ variables: { API_KEY_REQUESTS_PER_MINUTE: '1000000' } })
  const seed = Date.now()
  const { calls, endpoints, accepted, wrong } = await fuzzApi(app, seed, LONG_MS)
  console.info(
    `T86 wrong responses ${Object.keys(wrong).length} of ${calls}, ${endpoints} endpoints, ${accepted} accepted a request, seed ${seed}`,
  )
  expect(wrong).toEqual({})
  expect(accepted).toBeGreaterThan(endpoints / 2)
})
