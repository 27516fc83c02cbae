import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it } from 'vitest'
import { isLongRun } from '../../process/product-process.ts'
import { type TestApp, OWNER_PASSWORD, buildTestApp } from '../../support/build-test-app.ts'
import { analyzed, upload } from '../../support/library/model-upload.ts'

const PARALLEL = isLongRun ? 200 : 60
/** The usual limit, reduced like the number of requests. */
const PER_SECOND = isLongRun ? 200 : 60
const SIGN_INS = 20
const SLOWEST_SIGN_IN_MS = 1000
/** How long statements may wait for a connection without a pause. */
const LONGEST_WAIT_MS = 5000

const FLOODER = '203.0.113.7'
const NEIGHBOR = '198.51.100.9'

/** The calls of a flood: health checks, a search, an export and a picture. */
async function floodPaths(app: TestApp, headers: { authorization: string }): Promise<string[]> {
  const cube = { name: 'cube.stl', bytes: writeBinaryStl(createCube(20)) }
  const { id } = (await upload(app, headers, cube)).json<Model>()
  await analyzed(app, headers, id)
  return [
    '/healthz',
    '/readyz',
    '/api/search?search=cube',
    '/api/stl-files?search=cube',
    '/api/inventory/export',
    `/api/stl-files/${id}/thumbnail`,
  ]
}

/** Measures the longest time in which statements wait for a connection without a pause, until the returned call. */
function watchPool({ database }: TestApp): () => number {
  let since: number | null = null
  let longest = 0
  const timer = setInterval(() => {
    const isWaiting = database.connections().waiting > 0
    if (!isWaiting) since = null
    else since ??= performance.now()
    longest = Math.max(longest, since === null ? 0 : performance.now() - since)
  }, 10)
  return () => {
    clearInterval(timer)
    return longest
  }
}

it(`T87 ${PARALLEL} parallel calls each of health, search, export and pictures are limited, and others can sign in`, {
  timeout: 300_000,
}, async () => {
  const app = await buildTestApp({
    variables: { REQUESTS_PER_SECOND: String(PER_SECOND) },
    hasRealHashing: isLongRun,
  })
  const staff = await app.as('staff')
  const paths = await floodPaths(app, staff)
  const statuses = new Map<string, number>()
  const call = async (url: string, headers: Record<string, string>) => {
    const { statusCode, headers: sent } = await app.http.inject({ url, headers, remoteAddress: FLOODER })
    const hasHint = ![429, 503].includes(statusCode) || sent['retry-after'] !== undefined
    const name = hasHint ? String(statusCode) : `${statusCode} without Retry-After`
    statuses.set(name, (statuses.get(name) ?? 0) + 1)
  }
  const longestWait = watchPool(app)
  const flood = Promise.all(
    Array.from({ length: PARALLEL }, () =>
      paths.flatMap((path) => [call(path, {}), call(path, staff)]),
    ).flat(),
  )
  const times: number[] = []
  const refused: number[] = []
  for (let done = 0; done < SIGN_INS; done += 1) {
    const beganAt = performance.now()
    const { statusCode } = await app.http.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { username: 'owner', password: OWNER_PASSWORD },
      remoteAddress: NEIGHBOR,
    })
    times.push(performance.now() - beganAt)
    if (statusCode !== 200) refused.push(statusCode)
  }
  await flood
  const p95 = times.toSorted((a, b) => a - b)[Math.ceil(SIGN_INS * 0.95) - 1] ?? 0
  const waited = longestWait()
  const told = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  console.info(
    `T87 ${2 * PARALLEL * paths.length} calls: ${told}; sign-ins p95 ${Math.round(p95)} ms, statements waited ${Math.round(waited)} ms`,
  )
  expect(refused).toEqual([])
  // Only some exports run at once. The others get 503.
  expect([...statuses.keys()].filter((status) => !['200', '401', '429', '503'].includes(status))).toEqual([])
  expect(statuses.get('429')).toBeGreaterThan(PARALLEL)
  expect(waited).toBeLessThan(LONGEST_WAIT_MS)
  expect(app.database.connections().waiting).toBe(0)
  if (isLongRun) expect(p95).toBeLessThan(SLOWEST_SIGN_IN_MS)
})
