import type { Alert, AlertPreferences } from '@pegasus/contracts/alerts/alerts'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { mailsTo, readOutbox } from '../../../test/support/accounts/mails.ts'
import { aMainSite, answering } from '../../../test/servers/main-site-server.ts'
import { DRAGON, aShop, post, publish, update } from '../../../test/support/publishing.ts'
import { type Calls, addedItem, callsOf } from '../../../test/support/api-calls.ts'
import {
  aPrintJob,
  aSpool,
  advance,
  anItem,
  aMovement,
  allPages,
} from '../../../test/support/stock-factories.ts'
import { DAY_MS, MINUTE_MS } from '../../platform/clock.ts'

const SOME_ID = '01890000-0000-7000-8000-000000000000'

const inboxOf = async (calls: Calls, query = ''): Promise<Alert[]> =>
  (await calls(`GET /api/alerts${query}`)).json<Alert[]>()

const unreadOf = async (calls: Calls): Promise<number> =>
  (await calls('GET /api/alerts/unread')).json<{ unread: number }>().unread

const anAlertApp = async () => {
  const app = await buildTestApp({ variables: { PUBLIC_URL: 'https://ops.example' } })
  const staff = callsOf(app, await app.as('staff'))
  const adjust = (id: string, delta: number) => staff(`POST /api/inventory/${id}/adjust`, { delta })
  return { app, staff, adjust }
}

/** Adds an item whose quantity has just fallen to its reorder point. Returns the item's id. */
const lowItem = async (app: TestApp, name = 'Wall hook'): Promise<string> => {
  const itemId = await anItem(app, { name, quantity: 6, reorder_point: 5 })
  await aMovement(app, { itemId, kind: 'adjust', delta: -1 })
  return itemId
}

describe('events that cause alerts', () => {
  it('an item causes one alert when it falls to its reorder point, and another when it falls again after a refill', async () => {
    const { app, staff, adjust } = await anAlertApp()
    const { id, sku } = await addedItem(staff, { quantity: 10, reorder_point: 5 })
    await adjust(id, -4)
    await app.alerts.run()
    expect(await inboxOf(staff)).toEqual([])
    await adjust(id, -2)
    await adjust(id, -1)
    await app.alerts.run()
    await app.alerts.run()
    expect(await inboxOf(staff)).toMatchObject([
      {
        kind: 'low_stock',
        entity_id: id,
        title: 'Wall hook',
        facts: { sku, quantity: 4, reorder_point: 5 },
        read_at: null,
      },
    ])
    await adjust(id, 10)
    await app.alerts.run()
    await adjust(id, -10)
    await app.alerts.run()
    expect(await inboxOf(staff)).toHaveLength(2)
  })

  it('a filament causes one alert each time its spools together fall to their low-stock limit', async () => {
    const { app, staff } = await anAlertApp()
    const first = await aSpool(app, { remainingGrams: 500, lowStockGrams: 300 })
    const second = await aSpool(app, { remainingGrams: 500, lowStockGrams: 300 })
    const use = (spool: string, grams: number) => staff(`POST /api/filament/${spool}/use`, { grams })
    await use(first, 400)
    await app.alerts.run()
    expect(await inboxOf(staff)).toEqual([])
    await Promise.all([use(first, 50), use(second, 250)])
    await app.alerts.run()
    await use(second, 10)
    await app.alerts.run()
    expect(await inboxOf(staff)).toMatchObject([
      {
        kind: 'low_filament',
        entity_id: null,
        title: 'PLA Bone White',
        facts: { material: 'PLA', color: 'Bone White', remaining_grams: 300, low_stock_grams: 300 },
      },
    ])
    const third = await aSpool(app, { remainingGrams: 1000 })
    await app.alerts.run()
    await staff(`POST /api/filament/${third}/archive`)
    await app.alerts.run()
    expect(await inboxOf(staff)).toHaveLength(2)
  })

  it('each failure of a print job causes one alert', async () => {
    const { app, staff } = await anAlertApp()
    const jobId = await aPrintJob(app, { quantity: 3 })
    await advance(app, jobId, { to: 'in_progress' })
    await advance(app, jobId, { to: 'failed', reason: 'Layer shift' })
    await app.alerts.run()
    await app.alerts.run()
    expect(await inboxOf(staff)).toMatchObject([
      {
        kind: 'job_failed',
        entity_id: jobId,
        title: 'Gear',
        facts: { quantity: 3, reason: 'Layer shift' },
      },
    ])
    const done = await aPrintJob(app)
    await advance(app, done, { to: 'in_progress' })
    await advance(app, done, { to: 'completed' })
    await app.alerts.run()
    expect(await inboxOf(staff)).toHaveLength(1)
  })

  it('repeated failures to publish a product on the main site cause one alert until it is published', async () => {
    const site = await aMainSite()
    const { app, staff: who } = await aShop(site)
    const staff = callsOf(app, who)
    site.behave(answering(500, 'The shop is closed'))
    expect((await post(app, who)).statusCode).toBe(502)
    await app.alerts.run()
    const [alert, ...others] = await inboxOf(staff)
    expect(others).toEqual([])
    expect(alert).toMatchObject({ kind: 'publication_failed', title: DRAGON.name })
    expect(JSON.stringify(alert?.facts)).toContain('The shop is closed')
    const id = alert?.entity_id ?? ''
    expect((await publish(app, who, id)).statusCode).toBe(502)
    await app.alerts.run()
    expect(await inboxOf(staff)).toHaveLength(1)
    site.behave(null)
    expect((await publish(app, who, id)).statusCode).toBe(200)
    site.behave(answering(500, 'Closed again'))
    expect((await update(app, who, id, { description: 'Breathes more fire' })).statusCode).toBe(200)
    expect((await publish(app, who, id)).statusCode).toBe(502)
    await app.alerts.run()
    expect(await inboxOf(staff)).toHaveLength(2)
  })
})

describe('alerts with several server processes', () => {
  it('parallel processes create one alert for each item that becomes low, and send one email about all of them', async () => {
    const { app, staff } = await anAlertApp()
    const other = await app.replica()
    const crossings = 12
    for (let number = 0; number < crossings; number += 1) await lowItem(app, `Hook ${number}`)
    await aSpool(app, { remainingGrams: 10, lowStockGrams: 300 })
    await Promise.all(
      Array.from({ length: 12 }, (_, number) => (number % 2 === 0 ? app : other).alerts.run()),
    )
    // Only one process at a time creates alerts, and the others skip their run. So one more run handles the events that
    // may remain.
    await other.alerts.run()
    const alerts = await inboxOf(staff)
    const names = new Set(alerts.map(({ title }) => title))
    console.info(
      `alerts ${alerts.length} of ${crossings + 1} crossings, told twice ${alerts.length - names.size}`,
    )
    expect([alerts.length, names.size]).toEqual([crossings + 1, crossings + 1])
    expect(await mailsTo(app, 'owner@pegasus.local')).toHaveLength(1)
  })
})

describe('recipients of alerts', () => {
  it('by default, employees get alerts in the app, admins also by email, and viewers none', async () => {
    const app = await buildTestApp({ variables: { PUBLIC_URL: 'https://ops.example' } })
    const callers = await Promise.all(
      (['viewer', 'employee', 'staff', 'admin'] as const).map(async (role) =>
        callsOf(app, await app.as(role)),
      ),
    )
    await app.anAccount('admin', { isActive: false })
    await app.anAccount('staff', { approved: false })
    const itemId = await lowItem(app)
    await app.alerts.run()
    expect(await Promise.all(callers.map(unreadOf))).toEqual([0, 1, 1, 1])
    const [row] = await app.database.sql`select count(*)::int as sent from alert_deliveries`
    expect(row?.sent).toBe(4)
    const mails = await readOutbox(app)
    expect(mails).toHaveLength(2)
    expect(mails[0]).toMatchObject({
      subject: 'Low stock: Wall hook',
      links: [`https://ops.example/?tab=inventory&item=${itemId}`],
    })
    expect(mails[0]?.text).toContain('5 left, reorder at 5')
    // An account gets no alerts from before its creation.
    expect(await unreadOf(callsOf(app, await app.as('staff')))).toBe(0)
  })

  it('everybody, even a viewer, can change their alert preferences, and the change applies from the next alert on', async () => {
    const app = await buildTestApp()
    const viewer = callsOf(app, await app.as('viewer'))
    const before = await viewer('GET /api/alerts/preferences')
    expect(before.json<AlertPreferences>().choices.low_stock).toEqual({
      in_app: false,
      by_mail: false,
      by_push: false,
    })
    await lowItem(app)
    await app.alerts.run()
    const change = { low_stock: { in_app: true }, job_failed: { by_mail: true }, nonsense: 1 }
    expect((await viewer('PUT /api/alerts/preferences', change)).status).toBe(428)
    const match = { 'if-match': before.etag ?? '' }
    const saved = await viewer('PUT /api/alerts/preferences', change, match)
    expect(saved.json<AlertPreferences>().choices).toMatchObject({
      low_stock: { in_app: true, by_mail: false, by_push: true },
      job_failed: { in_app: false, by_mail: true, by_push: false },
      low_filament: { in_app: false, by_mail: false, by_push: false },
    })
    const stale = await viewer('PUT /api/alerts/preferences', { low_stock: { in_app: false } }, match)
    expect([stale.status, stale.json<{ current: AlertPreferences }>().current]).toEqual([
      412,
      saved.json<AlertPreferences>(),
    ])
    const wrong = await viewer(
      'PUT /api/alerts/preferences',
      { low_stock: { in_app: 'yes' } },
      { 'if-match': '*' },
    )
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('in_app must be true or false')])
    await lowItem(app, 'Second hook')
    await app.alerts.run()
    expect((await inboxOf(viewer)).map(({ title }) => title)).toEqual(['Second hook'])
  })
})

describe('reading alerts in the app', () => {
  it('a user can mark one alert or all listed alerts as read, but only in their own inbox', async () => {
    const { app, staff } = await anAlertApp()
    const other = callsOf(app, await app.as('employee'))
    for (const name of ['One', 'Two', 'Three']) {
      await lowItem(app, name)
      await app.alerts.run()
      app.clock.advance(MINUTE_MS)
    }
    const [three, two, one] = await inboxOf(staff)
    for (const _ of [1, 2]) expect((await staff(`POST /api/alerts/${one?.id}/read`)).status).toBe(204)
    expect(await unreadOf(staff)).toBe(2)
    expect((await inboxOf(staff, '?unread_only=true')).map(({ title }) => title)).toEqual(['Three', 'Two'])
    expect((await staff('POST /api/alerts/read', { up_to: two?.id })).status).toBe(204)
    expect([await unreadOf(staff), await unreadOf(other)]).toEqual([1, 3])
    expect((await staff('POST /api/alerts/read', { up_to: three?.id })).status).toBe(204)
    expect(await unreadOf(staff)).toBe(0)
    const paged = await allPages<Alert>(app, await app.as('viewer'), '/api/alerts?limit=2')
    expect(paged.items).toEqual([])
  })

  it("an alert that is not in the caller's inbox cannot be marked as read", async () => {
    const { app, staff } = await anAlertApp()
    const viewer = callsOf(app, await app.as('viewer'))
    await lowItem(app)
    await app.alerts.run()
    const [alert] = await inboxOf(staff)
    expect((await viewer(`POST /api/alerts/${alert?.id}/read`)).detail()).toBe('This alert no longer exists.')
    expect((await viewer('POST /api/alerts/read', { up_to: alert?.id })).status).toBe(404)
    expect((await staff(`POST /api/alerts/${SOME_ID}/read`)).status).toBe(404)
    expect((await staff('POST /api/alerts/x/read')).status).toBe(404)
    for (const body of [{}, { up_to: 'x' }, { up_to: null }])
      expect((await staff('POST /api/alerts/read', body)).status).toBe(422)
    for (const query of ['?unread_only=maybe', '?limit=1001', '?cursor=x'])
      expect((await staff(`GET /api/alerts${query}`)).status).toBe(422)
    expect(await unreadOf(staff)).toBe(1)
  })

  it('GET /api/alerts returns the alerts of the last 90 days page by page', async () => {
    const { app } = await anAlertApp()
    const who = await app.as('staff')
    for (let number = 0; number < 103; number += 1) await lowItem(app, `Hook ${number}`)
    await app.alerts.run()
    const { items, total } = await allPages<Alert>(app, who, '/api/alerts?limit=25')
    expect([items.length, new Set(items.map(({ id }) => id)).size, total]).toEqual([103, 103, '103'])
    app.clock.advance(91 * DAY_MS)
    await app.cleanup.run()
    const [row] = await app.database.sql`select count(*)::int as kept from alert_deliveries`
    expect(row?.kept).toBe(0)
  })
})

describe('alerts of a later version', () => {
  it('alerts of an unknown kind wait for the version that can show them, and are neither listed nor counted nor mailed', async () => {
    const { app } = await anAlertApp()
    const { sql } = app.database
    const name = await app.anAccount('admin')
    const admin = callsOf(app, { authorization: `Bearer ${await app.signIn(name)}` })
    await lowItem(app, 'First')
    await app.alerts.run()
    await sql`alter table alerts drop constraint alerts_kind`
    const later = await sql<{ id: string }[]>`
      insert into alerts (id, kind, entity_id, title, facts, created_at)
      select ${SOME_ID}, 'drone_lost', null, 'Drone 7', '{}', created_at - interval '1 second' from alerts returning id`
    expect(later).toHaveLength(1)
    await sql`
      insert into alert_deliveries (alert_id, account_id, created_at, in_app, is_mail_due)
      select ${SOME_ID}, account_id, created_at - interval '1 second', true, true from alert_deliveries`
    const inbox = await admin('GET /api/alerts')
    expect([inbox.status, inbox.json<Alert[]>().map(({ title }) => title)]).toEqual([200, ['First']])
    expect(await unreadOf(admin)).toBe(1)
    app.clock.advance(16 * MINUTE_MS)
    await app.alerts.run()
    expect(await mailsTo(app, `${name}@example.com`)).toHaveLength(1)
    const [first] = await inboxOf(admin)
    expect((await admin('POST /api/alerts/read', { up_to: first?.id })).status).toBe(204)
    const waiting = await sql`
      select distinct read_at, is_mail_due from alert_deliveries where alert_id = ${SOME_ID}`
    expect([...waiting]).toEqual([{ read_at: null, is_mail_due: true }])
  })
})

describe('alert emails', () => {
  it('the first alert is mailed at once, and later alerts are mailed after 15 minutes if nobody has read them', async () => {
    const { app } = await anAlertApp()
    const name = await app.anAccount('admin')
    const mails = () => mailsTo(app, `${name}@example.com`)
    await lowItem(app, 'First')
    await app.alerts.run()
    expect(await mails()).toHaveLength(1)
    for (const title of ['Second', 'Third', 'Fourth']) await lowItem(app, title)
    await app.alerts.run()
    expect(await mails()).toHaveLength(1)
    const admin = callsOf(app, { authorization: `Bearer ${await app.signIn(name)}` })
    const read = (await inboxOf(admin)).find(({ title }) => title === 'Third')
    await admin(`POST /api/alerts/${read?.id}/read`)
    app.clock.advance(15 * MINUTE_MS)
    await app.alerts.run()
    const [newest, ...before] = await mails()
    expect(before).toHaveLength(1)
    expect(newest?.subject).toBe('Low stock: Fourth and 1 more')
    expect(newest?.text).toContain('Second')
    expect(newest?.text).not.toContain('Third')
    app.clock.advance(15 * MINUTE_MS)
    await app.alerts.run()
    expect(await mails()).toHaveLength(2)
  })

  it('an alert email is in the language of the person', async () => {
    const { app } = await anAlertApp()
    const name = await app.anAccount('admin')
    await app.database.sql`update accounts set user_metadata = '{"language": "de"}' where username = ${name}`
    const mails = () => mailsTo(app, `${name}@example.com`)
    await lowItem(app, 'Haken')
    await app.alerts.run()
    expect((await mails())[0]?.subject).toBe('Niedriger Bestand: Haken')
    for (const title of ['Dübel', 'Öse']) await lowItem(app, title)
    app.clock.advance(15 * MINUTE_MS)
    await app.alerts.run()
    const [newest] = await mails()
    expect(newest?.subject).toMatch(/^Niedriger Bestand: .* und 1 weitere$/)
    expect(newest?.text).toContain('2 Hinweise')
    expect(newest?.text).toContain('App öffnen:')
    expect(newest?.text).not.toContain('Low stock')
  })

  it('an alert email in another language does not translate names', async () => {
    const { app } = await anAlertApp()
    const name = await app.anAccount('admin')
    await app.database.sql`update accounts set user_metadata = '{"language": "de"}' where username = ${name}`
    const mails = () => mailsTo(app, `${name}@example.com`)
    await lowItem(app, 'Key')
    await app.alerts.run()
    expect((await mails())[0]?.subject).toBe('Niedriger Bestand: Key')
    for (let count = 0; count < 2; count += 1) await lowItem(app, 'Bracket and 2 more')
    app.clock.advance(15 * MINUTE_MS)
    await app.alerts.run()
    const [newest] = await mails()
    expect(newest?.subject).toBe('Niedriger Bestand: Bracket and 2 more und 1 weitere')
    expect(newest?.text).toContain('Niedriger Bestand: Bracket and 2 more (')
  })
})
