import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { lastingCaller } from '../support/accounts/lasting-caller.ts'
import { buildTestApp } from '../support/build-test-app.ts'

it('a query parameter without a value means the same as no parameter, in every call of our own API', async () => {
  const app = await buildTestApp()
  const headers = await app.as('owner')
  const differences: string[] = []
  let calls = 0
  for (const { method, path, query, dialect } of app.endpoints.all) {
    if (method !== 'GET' || !path.startsWith('/api/') || dialect || !query) continue
    const url = path.replace(/:\w+/g, '01890000-0000-7000-8000-000000000000')
    const plain = (await app.http.inject({ url, headers })).statusCode
    const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
    for (const name of Object.keys(properties)) {
      const { statusCode } = await app.http.inject({ url: `${url}?${name}=`, headers })
      calls += 1
      if (statusCode !== plain) differences.push(`${path}?${name}=: ${statusCode} instead of ${plain}`)
    }
  }
  console.info(`Empty query values with an effect ${differences.length} of ${calls}`)
  expect(differences).toEqual([])
  expect(calls).toBeGreaterThan(100)
})

it('a filter without a value does not narrow a list', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  await app.http.inject({
    method: 'POST',
    url: '/api/inventory',
    headers,
    payload: { name: 'Egg', quantity: 1 },
  })
  const list = async (query: string) =>
    (await app.http.inject({ url: `/api/inventory${query}`, headers })).json<{ name: string }[]>()
  const names = (await list('?search=&status=&low_stock_only=&limit=')).map(({ name }) => name)
  expect(names).toEqual(['Egg'])
})

it('a very long id is refused like any unknown id, and only to callers who pass the access check', async () => {
  const app = await buildTestApp()
  const owner = lastingCaller(app, 'owner')
  const differences: string[] = []
  let calls = 0
  for (const { method, path } of app.endpoints.all) {
    if (!path.includes('/:')) continue
    const statusOf = async (length: number, headers: Record<string, string>) => {
      const url = path.replace(/:\w+/g, 'x'.repeat(length))
      const { statusCode } = await app.http.inject({ method: method as 'GET', url, headers })
      return statusCode
    }
    const headers = await owner.headers()
    const [short, long] = [await statusOf(100, headers), await statusOf(2000, headers)]
    owner.saw(method, long)
    const [shortOfNobody, longOfNobody] = [await statusOf(100, {}), await statusOf(2000, {})]
    calls += 4
    if (long !== short || longOfNobody !== shortOfNobody)
      differences.push(`${method} ${path}: ${long}, ${longOfNobody} instead of ${short}, ${shortOfNobody}`)
  }
  console.info(`Long ids with another answer ${differences.length} of ${calls}`)
  expect(differences).toEqual([])
})
