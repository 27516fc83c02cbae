import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { aPrintJob, advance, allPages, anItem } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import { createPrintJob } from './create-job.ts'

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'DELETE'

const QUEUE = '/api/print-queue'

const call = (app: TestApp, headers: Headers, method: Method, url: string, payload?: object) =>
  app.http.inject({ method, url, headers, ...(payload && { payload }) })

describe('the trash of print jobs', () => {
  it('the print job trash lists jobs deleted in the last 30 days, latest first, optionally only those with one status', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const names = ['kept', 'first', 'over', 'last']
    const ids = new Map<string, string>()
    for (const name of names) ids.set(name, await aPrintJob(app, { itemId: await anItem(app, { name }) }))
    await advance(app, ids.get('over') ?? '', { to: 'completed' })
    for (const name of ['first', 'over', 'last']) {
      app.clock.advance(1000)
      await call(app, staff, 'DELETE', `${QUEUE}/${ids.get(name)}`)
    }
    const inTrash = async (query = '') =>
      (await allPages<PrintJob>(app, staff, `${QUEUE}?deleted=true&limit=1${query}`)).items.map(
        ({ inventory_item_name: name }) => name,
      )
    expect(await inTrash()).toEqual(['last', 'over', 'first'])
    expect(await inTrash('&status=completed')).toEqual(['over'])
    const page = await call(app, staff, 'GET', `${QUEUE}?deleted=true&limit=1`)
    expect(page.json<PrintJob[]>()[0]?.deleted_at).toEqual(expect.any(String))
    const cursor = /cursor=([^&>]+)/.exec(String(page.headers.link))?.[1]
    for (const other of ['', '&status=completed'])
      expect((await call(app, staff, 'GET', `${QUEUE}?limit=1${other}&cursor=${cursor}`)).statusCode).toBe(
        422,
      )
    expect((await call(app, staff, 'GET', `${QUEUE}?deleted=yes`)).statusCode).toBe(422)
    await call(app, staff, 'POST', `${QUEUE}/${ids.get('over')}/restore`)
    expect(await inTrash()).toEqual(['last', 'first'])
    app.clock.advance(31 * DAY_MS)
    const later = await call(app, await app.as('viewer'), 'GET', `${QUEUE}?deleted=true`)
    expect([later.statusCode, later.json()]).toEqual([200, []])
  })
})

describe('print jobs whose item is in the trash', () => {
  const GONE = 'The item that this job prints is in the trash. Please restore the item first.'

  it('an unfinished print job cannot be restored while its item is in the trash', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app)
    const [open, over] = [await aPrintJob(app, { itemId }), await aPrintJob(app, { itemId })]
    await advance(app, over, { to: 'completed' })
    for (const id of [open, over])
      expect((await call(app, staff, 'DELETE', `${QUEUE}/${id}`)).statusCode).toBe(204)
    expect((await call(app, staff, 'DELETE', `/api/inventory/${itemId}`)).statusCode).toBe(204)
    const refused = await call(app, staff, 'POST', `${QUEUE}/${open}/restore`)
    expect([refused.statusCode, refused.json()]).toEqual([409, { detail: GONE, code: 'print_job_state' }])
    expect((await call(app, staff, 'POST', `${QUEUE}/${over}/restore`)).statusCode).toBe(200)
    expect((await call(app, staff, 'POST', `${QUEUE}/${over}/requeue`)).statusCode).toBe(409)
    await call(app, staff, 'POST', `/api/inventory/${itemId}/restore`)
    expect((await call(app, staff, 'POST', `${QUEUE}/${open}/restore`)).statusCode).toBe(200)
  })

  it('a print job cannot be requeued while its item is in the trash', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app)
    const id = await aPrintJob(app, { itemId })
    await advance(app, id, { to: 'cancelled' })
    await call(app, staff, 'DELETE', `/api/inventory/${itemId}`)
    const refused = await call(app, staff, 'POST', `${QUEUE}/${id}/requeue`)
    expect([refused.statusCode, refused.json()]).toEqual([409, { detail: GONE, code: 'print_job_state' }])
  })

  it('if an item is deleted while a print job for it is queued, only one of the two succeeds', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [kept, gone] = [await anItem(app), await anItem(app)]
    const removed = await app.database.transaction(async (tx) => {
      await createPrintJob(tx, { itemId: kept, quantity: 1 }, { actor: SYSTEM_ACTOR, now: app.clock.now() })
      const removing = call(app, staff, 'DELETE', `/api/inventory/${kept}`)
      await untilWaiting(app, 1)
      return { removing }
    })
    expect((await removed.removing).statusCode).toBe(409)
    const added = await app.database.transaction(async (tx) => {
      await tx`update items set deleted_at = ${app.clock.now()} where id = ${gone}`
      const adding = call(app, staff, 'POST', QUEUE, { inventory_item_id: gone })
      await untilWaiting(app, 1)
      return { adding }
    })
    expect((await added.adding).statusCode).toBe(404)
  })
})
