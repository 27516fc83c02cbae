import type { IssuedApiKey } from '@pegasus/contracts/api-keys'
import { describe, expect, it } from 'vitest'
import {
  KEYS_URL,
  actOnKey,
  aKey,
  aKeyOwner,
  accountId,
  auditOf,
  createKey,
  keyHeader,
  readsWith,
  usageWhen,
} from '../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { HOUR_MS } from '../../platform/clock.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'

describe('API keys', () => {
  it('T41 an admin cannot create, widen or enable API keys of owners and other admins', async () => {
    const app = await buildTestApp()
    const name = await app.anAccount('admin')
    const admin = { authorization: `Bearer ${await app.signIn(name)}` }
    const own = await accountId(app, name)
    const escalations: string[] = []
    let tried = 0
    for (const role of ['admin', 'owner'] as const) {
      const answer = await createKey(app, admin, { user_id: await aKeyOwner(app, role) })
      tried += 1
      if (answer.statusCode !== 403) escalations.push(`create for ${role}: ${answer.statusCode}`)
      const { id, key } = await aKey(app, { role })
      for (const what of ['rotate', 'enable'] as const) {
        tried += 1
        const refused = await actOnKey(app, admin, id, what)
        if (refused.statusCode !== 403) escalations.push(`${what} of ${role}: ${refused.statusCode}`)
      }
      expect(await readsWith(app, key)).toBe(200)
      expect((await actOnKey(app, admin, id, 'disable')).statusCode).toBe(200)
      expect((await actOnKey(app, admin, id, 'enable')).statusCode).toBe(403)
      expect(await readsWith(app, key)).toBe(401)
      expect((await actOnKey(app, admin, id, 'delete')).statusCode).toBe(204)
    }
    for (const key of [(await aKey(app)).key, (await aKey(app, { role: 'owner' })).key]) {
      const headers = keyHeader(key)
      const attempts = [
        createKey(app, headers, { user_id: own, scope: ['integration', 'print-jobs'] }),
        ...(['rotate', 'enable', 'disable', 'delete'] as const).map((what) =>
          actOnKey(app, headers, NOBODY, what),
        ),
        app.http.inject({ url: KEYS_URL, headers }),
      ]
      for (const [index, attempt] of attempts.entries()) {
        tried += 1
        const { statusCode } = await attempt
        if (statusCode !== 403) escalations.push(`a key itself ${index}: ${statusCode}`)
      }
    }
    console.info(`T41 escalations ${escalations.length} of ${tried}`)
    expect(escalations).toEqual([])
    const refused = (await auditOf(app, 'endpoint')).filter(({ actor_name: name }) => name === 'The admin')
    expect(refused.map(({ entity_id: endpoint }) => endpoint).toSorted()).toEqual([
      'POST /api/api-keys',
      'POST /api/api-keys/:id/rotate',
      'PUT /api/api-keys/:id/enable',
    ])
    expect((await createKey(app, admin, { user_id: own })).statusCode).toBe(201)
    expect((await createKey(app, admin, { user_id: await aKeyOwner(app) })).statusCode).toBe(201)
  })

  it('T23 creating, changing and deleting an API key require a recent sign-in, but disabling does not', async () => {
    const app = await buildTestApp()
    const owner = await app.as('owner')
    const { id } = await aKey(app)
    app.clock.advance(HOUR_MS / 2)
    for (const what of ['rotate', 'enable', 'delete'] as const)
      expect((await actOnKey(app, owner, id, what)).json()).toMatchObject({
        code: 'reauthentication_required',
      })
    expect((await createKey(app, owner, { user_id: await aKeyOwner(app) })).json()).toMatchObject({
      code: 'reauthentication_required',
    })
    expect((await actOnKey(app, owner, id, 'disable')).statusCode).toBe(200)
  })

  it('T6 no role below admin can see, create or change API keys', async () => {
    const app = await buildTestApp()
    const { id } = await aKey(app)
    for (const role of ['viewer', 'employee', 'staff'] as const) {
      const headers = await app.as(role)
      const answers = [
        await app.http.inject({ url: KEYS_URL, headers }),
        await app.http.inject({ url: `${KEYS_URL}/${id}/usage`, headers }),
        await createKey(app, headers, { user_id: NOBODY }),
        ...(await Promise.all(
          (['rotate', 'enable', 'disable', 'delete'] as const).map((what) =>
            actOnKey(app, headers, id, what),
          ),
        )),
      ]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(7).fill(403))
    }
  })

  it('T4 creating an API key ignores body fields that the schema does not name', async () => {
    const app = await buildTestApp()
    const owner = await app.as('owner')
    const answer = await createKey(app, owner, {
      user_id: await aKeyOwner(app),
      id: NOBODY,
      key: 'pgo_mine',
      key_prefix: 'pgo_mine',
      is_active: false,
      usage_count: 7,
      scopes: ['admin'],
      created_at: '2000-01-01T00:00:00Z',
    })
    expect(answer.json<IssuedApiKey>()).toMatchObject({
      is_active: true,
      usage_count: 0,
      created_at: app.clock.now().toISOString(),
    })
    expect(answer.json<IssuedApiKey>().id).not.toBe(NOBODY)
  })
})

describe('the secret of an API key', () => {
  it('T26 T112 the secret of an API key appears only in the response that issues the key', async () => {
    const lines: string[] = []
    const app = await buildTestApp({ logTo: { write: (line) => lines.push(line) } })
    const events: string[] = []
    await app.database.listen('pegasus_events', (payload) => events.push(payload))
    const owner = await app.as('owner')
    const made = await createKey(app, owner, { user_id: await aKeyOwner(app) }, 'k1')
    const { id, key } = made.json<IssuedApiKey>()
    await readsWith(app, key)
    await app.http.inject({ url: '/api/inventory', headers: keyHeader(key) })
    await usageWhen(app, owner, id, ({ usage_count: count }) => count === 2)
    const rotated = await actOnKey(app, { ...owner, 'idempotency-key': 'k2' }, id, 'rotate')
    const keys = [key, rotated.json<IssuedApiKey>().key]

    const tables = await app.database.sql<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`
    const found: string[] = []
    const look = (where: string, text: string) => {
      // These parts of the secret are 16 characters long, so they cannot appear by chance.
      for (const each of keys)
        if (text.includes(each.slice(17, 33)) || text.includes(each.slice(44, 60))) found.push(where)
    }
    for (const { name } of tables) {
      const rows = await app.database.sql.unsafe<{ text: string }[]>(`select t::text as text from ${name} t`)
      look(name, rows.map(({ text }) => text).join('\n'))
    }
    look('log', lines.join('\n'))
    look('events', events.join('\n'))
    const later = ['', `/${id}/usage`].map((path) =>
      app.http.inject({ url: `${KEYS_URL}${path}`, headers: owner }),
    )
    for (const answer of await Promise.all(later)) look('answer', answer.body)
    console.info(`T26 T112 secrets of keys found ${found.length} of ${tables.length + 4} places`)
    expect(found).toEqual([])
    expect(tables.length).toBeGreaterThan(30)
    expect(events.map((event) => JSON.parse(event) as object)).toEqual(
      expect.arrayContaining([
        { type: 'created', entity: 'api_key', id },
        { type: 'updated', entity: 'api_key', id },
      ]),
    )
  })
})
