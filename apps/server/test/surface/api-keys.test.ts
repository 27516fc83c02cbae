import type { Endpoint } from '@pegasus/contracts/endpoint'
import { type Role, hasRole, type ApiKeyScope } from '@pegasus/contracts/roles'
import { describe, expect, it } from 'vitest'
import { aKey, keyHeader } from '../support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'

const SOME_ID = '01890000-0000-7000-8000-000000000000'
const SCOPES: readonly (readonly ApiKeyScope[])[] = [
  [],
  ['integration'],
  ['print-jobs'],
  ['integration', 'print-jobs'],
]
const OWNERS: readonly Role[] = ['viewer', 'employee', 'staff', 'admin', 'owner']

/** Valid bodies for the calls that keys may make. Other calls are refused before their body is read. */
const BODIES: Readonly<Record<string, unknown>> = {
  '/api/integration/orders': { order_number: 'SURFACE-1', total_amount: 1 },
  '/api/print-jobs/claim': { agent: 'surface' },
  '/api/print-jobs/:id/fail': { reason: 'surface' },
  '/spoolman/api/v1/vendor': { name: 'surface' },
  '/spoolman/api/v1/filament': { vendor_id: 999_999, material: 'PLA', density: 1.24, diameter: 1.75 },
  '/spoolman/api/v1/spool': { filament_id: 999_999 },
  '/spoolman/api/v1/spool/field/:field': { value: 'surface', new_value: 'surface' },
  '/spoolman/api/v1/location/:location': { name: 'surface' },
  '/spoolman/api/v1/setting/:key': '"surface"',
}

/** Valid queries for the calls that keys may make. */
const QUERIES: Readonly<Record<string, string>> = {
  '/spoolman/api/v1/export/spools': '?fmt=csv',
  '/spoolman/api/v1/export/filaments': '?fmt=csv',
  '/spoolman/api/v1/export/vendors': '?fmt=csv',
  '/spoolman/api/v1/search': '?q=surface',
  '/spoolman/api/v1/spool/group': '?group_by=location',
}

const isOpen = (endpoint: Endpoint, scopes: readonly ApiKeyScope[], owner: Role): boolean => {
  const { access } = endpoint
  return typeof access === 'object' && scopes.includes(access.scope) && hasRole(owner, access.owner)
}

async function call(app: TestApp, { method, path }: Endpoint, key: string): Promise<number> {
  const body = BODIES[path]
  const place = path.replace(':field', 'location').replace(/:id|:sessionId|:\w+/g, SOME_ID)
  const url = place + (QUERIES[path] ?? '')
  const headers = { ...keyHeader(key), ...(body !== undefined && { 'content-type': 'application/json' }) }
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  return (await app.http.inject({ method, url, headers, ...payload })).statusCode
}

describe('access to the whole API with API keys', () => {
  it('T40 each API key can make exactly the calls that its scopes and its owner allow', {
    timeout: 600_000,
  }, async () => {
    const app = await buildTestApp({ variables: { API_KEY_REQUESTS_PER_MINUTE: '100000' } })
    const guarded = app.endpoints.all.filter(({ access }) => access !== 'public')
    const wrong: string[] = []
    let cells = 0
    let opened = 0
    for (const owner of OWNERS) {
      const username = await app.anAccount(owner)
      for (const scopes of SCOPES) {
        const { id, key } = await aKey(app, { username })
        // The API creates no key without a scope, so change the database. Such a key must open no call.
        await app.database.sql`update api_keys set scopes = ${[...scopes]} where id = ${id}`
        for (const endpoint of guarded) {
          const status = await call(app, endpoint, key)
          const expected = isOpen(endpoint, scopes, owner)
          // Creating a second vendor with the same name is a conflict (409), but only for a caller who has passed the
          // guard.
          const isRight = expected ? [200, 201, 204, 404, 409].includes(status) : status === 403
          if (!isRight) wrong.push(`${owner} [${scopes}] ${endpoint.method} ${endpoint.path}: ${status}`)
          cells += 1
          opened += expected ? 1 : 0
        }
      }
    }
    console.info(`T40 wrong cells ${wrong.length} of ${cells} on ${guarded.length} endpoints, ${opened} open`)
    expect(wrong).toEqual([])
    // Keys of any owner may make 26 calls, and keys of staff and above may make 24 more calls. Each call belongs to two
    // of the four sets of scopes.
    expect(opened).toBe(26 * 2 * OWNERS.length + 24 * 2 * 4)
  })

  it('T40 calls for API keys are refused to sessions and to callers without credentials', async () => {
    const app = await buildTestApp()
    const forKeys = app.endpoints.all.filter(
      ({ access }) => typeof access === 'object' && access.people === undefined,
    )
    const callers = [{}, ...(await Promise.all(OWNERS.map((role) => app.as(role))))]
    const wrong: string[] = []
    for (const [index, headers] of callers.entries())
      for (const { method, path } of forKeys) {
        const { statusCode } = await app.http.inject({ method, url: path.replace(':id', SOME_ID), headers })
        if (statusCode !== (index === 0 ? 401 : 403)) wrong.push(`${index} ${method} ${path}: ${statusCode}`)
      }
    console.info(`T40 wrong cells of people ${wrong.length} of ${callers.length * forKeys.length}`)
    expect(wrong).toEqual([])
    expect(forKeys).toHaveLength(46)
  })

  it('the OpenAPI document describes the calls for API keys', async () => {
    const app = await buildTestApp()
    type Operation = { security?: object[]; responses: Record<string, { content?: object }> }
    const api = (await app.http.inject('/api/openapi.json')).json<{
      paths: Record<string, Record<string, Operation>>
      components: { securitySchemes: Record<string, object> }
    }>()
    expect(api.components.securitySchemes['apiKey']).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
    })
    const claim = api.paths['/api/print-jobs/claim']?.['post']
    expect(claim?.security).toEqual([{ apiKey: [] }])
    expect(Object.keys(claim?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '204', '401', '403', '429']),
    )
    expect(claim?.responses['204']?.content).toBeUndefined()
    const orders = api.paths['/api/integration/orders']?.['post']
    expect(orders?.responses['200']).toEqual(orders?.responses['201'])
    expect(api.paths['/api/api-keys']?.['post']?.security).toEqual([{ bearer: [] }])
  })
})
