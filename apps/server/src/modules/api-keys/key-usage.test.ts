import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { aKey, usageOf } from '../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import type { Database } from '../../platform/database/database.ts'
import { createKeyUsage } from './key-usage.ts'

describe('recording the use of API keys', () => {
  it('uses of API keys are still written if the response to an earlier write was lost', async () => {
    const app = await buildTestApp()
    const [first, second] = [await aKey(app), await aKey(app)]
    let cuts = 1
    const database: Database = {
      ...app.database,
      async transaction(work) {
        const answer = await app.database.transaction(work)
        cuts -= 1
        // Simulate a connection that breaks after the database has committed, before the response arrives.
        if (cuts >= 0) throw new Error('connection closed')
        return answer
      },
    }
    const usage = createKeyUsage({ database, clock: app.clock, log: silentLog })
    const called = (keyId: string) => {
      const request = {
        id: crypto.randomUUID(),
        ip: '127.0.0.1',
        method: 'GET',
        url: '/api/integration/stock',
      } as FastifyRequest
      usage.begin(request, keyId)
      usage.end(request, { statusCode: 200 } as FastifyReply)
    }
    called(first.id)
    await usage.close()
    called(second.id)
    await usage.close()
    const rows = await app.database.sql<{ key_id: string }[]>`select key_id from key_calls order by at, id`
    expect(rows.map(({ key_id: id }) => id)).toEqual([first.id, second.id])
    const owner = await app.as('owner')
    expect((await usageOf(app, owner, second.id)).usage_count).toBe(1)
  })
})
