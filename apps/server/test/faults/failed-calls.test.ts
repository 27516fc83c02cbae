import { describe, expect, it, onTestFinished } from 'vitest'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { MINUTE_MS, SECOND_MS } from '../../src/platform/clock.ts'
import { isLongRun } from '../process/product-process.ts'
import { aModel } from '../process/write-load.ts'
import { type CallFault, type FaultyProxy, aFaultyMailProxy, aFaultyProxy } from '../servers/faulty-proxy.ts'
import { aMailServer } from '../servers/mail-server.ts'
import { aMainSite } from '../servers/main-site-server.ts'
import { PRINTER_KEY } from '../servers/simulated-printers.ts'
import { s3Variables, startS3Server } from '../servers/s3-server.ts'
import { WOO_KEY, WOO_SECRET, aWooShop } from '../servers/woo-server.ts'
import { Browser } from '../support/accounts/providers/browser.ts'
import { listen } from '../support/accounts/providers/listen.ts'
import { CLIENT_ID, CLIENT_SECRET, anOidcServer } from '../support/accounts/providers/oidc-server.ts'
import { CALLBACK, SITE, fragmentIn, isHome } from '../support/accounts/providers/provider-app.ts'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { aReceiver, causeLowStock } from '../support/channels.ts'
import { upload } from '../support/library/model-upload.ts'
import { aPrinterSetup, anAssignedJob, clearBed, setupState } from '../support/network-printers.ts'
import { DRAGON, aShop, post } from '../support/publishing.ts'
import { act, ordersOf, sync, wooOrder, reportParcels } from '../support/shop-apps.ts'
import { anItem } from '../support/stock-factories.ts'

/** Faults that make a call fail immediately. A call that meets `silence` fails only at the server's time limit. */
const QUICK: readonly CallFault[] = ['reset', 'lost response', 'error 500', 'garbage']
/**
 * The faults of each flow. `silence` is only in the long run, because a call to a shop has a time limit of a minute.
 */
const FAULTS: readonly CallFault[] = isLongRun ? [...QUICK, 'silence'] : QUICK

/** Flows that need several attempts take long, so the short test run tries them with only two faults. */
const SLOW_FLOW_FAULTS: readonly CallFault[] = isLongRun ? FAULTS : ['lost response', 'error 500']

/**
 * Repeats a flow and lets another one of its calls to the other server fail each time, until every call has failed with
 * every fault. `flow` gets a number that differs each time. It passes the work in which the call fails to `failing`. It
 * returns null if the result is right, or else what is wrong. Returns what was wrong, and the number of failed calls.
 */
async function failEachCall(
  proxy: FaultyProxy,
  faults: readonly CallFault[],
  flow: (number: number, failing: <T>(work: () => Promise<T>) => Promise<T>) => Promise<string | null>,
) {
  const wrong: string[] = []
  let [failures, number] = [0, 0]
  for (const fault of faults)
    for (let at = 1, isPast = false; !isPast; at += 1) {
      number += 1
      const problem = await flow(number, async (work) => {
        proxy.fail(fault, at)
        const result = await work()
        isPast = proxy.calls() < at
        proxy.heal()
        return result
      })
      if (!isPast) failures += 1
      if (problem !== null) wrong.push(`${fault} of call ${at}: ${problem}`)
      if (at > 60) throw new Error('the flow makes too many calls')
    }
  return { wrong, failures }
}

/** Reports the result of a flow, and fails if anything is wrong. */
function conclude(name: string, { wrong, failures }: { wrong: string[]; failures: number }, atLeast: number) {
  console.info(`T100 lost, double or stuck ${wrong.length} of ${failures} failed calls: ${name}`)
  expect(wrong).toEqual([])
  expect(failures).toBeGreaterThanOrEqual(atLeast)
}

const anAppAtWoo = async () => {
  const shop = await aWooShop()
  const proxy = await aFaultyProxy(shop.url)
  const variables = {
    MAIN_SITE_URL: proxy.url,
    MAIN_SITE_KIND: 'woocommerce',
    MAIN_SITE_ADMIN_KEY: `${WOO_KEY}:${WOO_SECRET}`,
    PUBLIC_URL: 'https://ops.example',
  }
  return { shop, proxy, app: await buildTestApp({ variables }) }
}

/** Returns the app's time as WooCommerce writes it. */
const shopTimeOf = (app: TestApp): string => app.clock.now().toISOString().slice(0, 19)

/**
 * Publishes a product while a call fails. Then lets the background task continue the attempt, as another process would,
 * and publishes the product again.
 */
async function publishAgain(
  app: TestApp,
  staff: Record<string, string>,
  slug: string,
  failing: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<string | null> {
  const first = await failing(() => post(app, staff, { ...DRAGON, slug }))
  app.clock.advance(2 * MINUTE_MS)
  await app.publications.run()
  const retried = await post(app, staff, { ...DRAGON, slug })
  const products = await app.database.sql<{ status: string }[]>`
    select status from products where slug = ${slug}`
  const isRight = retried.statusCode < 300 && products.length === 1 && products[0]?.status === 'published'
  return isRight
    ? null
    : `${first.statusCode}, retry ${retried.statusCode} ${retried.body}, ${JSON.stringify(products)}`
}

/** Time limit of a test in ms. A flow has many calls, and takes long on a busy machine. */
const timeout = isLongRun ? 3_600_000 : 400_000

describe('calls to a shop', { timeout }, () => {
  it('T100 after a failure of any call of a publication, retries publish the product exactly once', async () => {
    const site = await aMainSite()
    const proxy = await aFaultyProxy(site.url)
    const { app, staff } = await aShop({ ...site, url: proxy.url })
    const result = await failEachCall(proxy, FAULTS, async (number, failing) => {
      const slug = `dragon-${number}`
      const problem = await publishAgain(app, staff, slug, failing)
      const onSite = [...site.products.values()].filter((product) => product.slug === slug).length
      return problem ?? (onSite === 1 ? null : `${onSite} on the site`)
    })
    conclude('publication', result, QUICK.length)
  })

  it('T100 after a failure of any call to WooCommerce, retries publish the product exactly once', async () => {
    const { shop, proxy, app } = await anAppAtWoo()
    const staff = await app.as('staff')
    const result = await failEachCall(proxy, FAULTS, async (number, failing) => {
      const slug = `dragon-${number}`
      const problem = await publishAgain(app, staff, slug, failing)
      const inShop = [...shop.products.values()].filter((product) => product['slug'] === slug).length
      return problem ?? (inShop === 1 ? null : `${inShop} in the shop`)
    })
    conclude('publication at WooCommerce', result, 2 * QUICK.length)
  })

  it('T100 if any call of an order synchronization fails, the next one has every order once', async () => {
    const { shop, proxy, app } = await anAppAtWoo()
    // The long run has more than 100 orders, so that the list of orders has two pages.
    const newOrders = isLongRun ? 101 : 5
    let orders = 0
    const result = await failEachCall(proxy, FAULTS, async (_, failing) => {
      app.clock.advance(MINUTE_MS)
      for (let count = 0; count < newOrders; count += 1) {
        orders += 1
        shop.orders.set(orders, wooOrder(orders, { date_modified_gmt: shopTimeOf(app) }))
      }
      // A refund makes the synchronization call the shop once more.
      shop.refund(orders, { amount: '1.00', at: shopTimeOf(app) })
      await failing(() => sync(app))
      await sync(app)
      const [kept] = await app.database.sql<[{ orders: number; numbers: number }]>`
        select count(*)::int as orders, count(distinct order_number)::int as numbers from orders`
      return kept.orders === orders && kept.numbers === orders
        ? null
        : `${kept.orders} orders with ${kept.numbers} numbers, of ${orders}`
    })
    conclude('order synchronization', result, 2 * QUICK.length)
  })

  it('T100 after a failure of any call that reports a shipment, retries report the parcel exactly once', async () => {
    const { shop, proxy, app } = await anAppAtWoo()
    await anItem(app, { sku: 'DRG', quantity: 500 })
    const result = await failEachCall(proxy, FAULTS, async (number, failing) => {
      shop.orders.set(number, wooOrder(number, { date_modified_gmt: shopTimeOf(app) }))
      await sync(app)
      const order = (await ordersOf(app)).find(({ order_number: own }) => own === String(number))
      await act(app, order?.id, 'ship', { carrier: 'DHL', tracking_number: `JD${number}` })
      await failing(() => reportParcels(app))
      // The pause before the next attempt grows with each failure.
      app.clock.advance(10 * MINUTE_MS)
      await app.shop.shipments.run()
      const shopOrder = shop.orders.get(number)
      const [shipment] = await app.database.sql<{ is_told: boolean }[]>`
        select told_at is not null as is_told from shipments where order_id = ${order?.id ?? null}`
      const isRight =
        shopOrder?.status === 'completed' && shopOrder.notes.length === 1 && shipment?.is_told === true
      return isRight ? null : JSON.stringify([shopOrder?.status, shopOrder?.notes, shipment])
    })
    conclude('shipment', result, 2 * QUICK.length)
  })
})

it('T100 if any call of an upload to S3 fails, no unstored file is confirmed, and a retry stores it once', async () => {
  const store = await startS3Server()
  onTestFinished(() => store.close())
  const proxy = await aFaultyProxy(store.url)
  const app = await buildTestApp({ variables: s3Variables({ ...store, url: proxy.url }) })
  const staff = await app.as('staff')
  let confirmed = 0
  // The client itself repeats a failed call, so let all later calls fail, too.
  const fail = proxy.fail
  proxy.fail = (fault, at) => fail(fault, at, true)
  const result = await failEachCall(proxy, QUICK, async (_, failing) => {
    const file = { name: 'm.stl', bytes: aModel(4) }
    const first = await failing(() => upload(app, staff, file))
    const last = first.statusCode === 201 ? first : await upload(app, staff, file)
    if (last.statusCode !== 201) return `${first.statusCode}, retry ${last.statusCode} ${last.body}`
    const { id, sha256 } = last.json<Model>()
    const read = await app.http.inject({ url: `/api/stl-files/${id}/file`, headers: staff })
    const [rows] = await app.database.sql<[{ count: number }]>`
      select count(*)::int as count from stl_versions where sha256 = ${sha256}`
    if (first.statusCode === 201) confirmed += 1
    const isWhole = read.rawPayload.equals(file.bytes) && store.objects.has(`models/${sha256}`)
    return isWhole && rows.count === 1 ? null : `${first.statusCode}, whole ${isWhole}, ${rows.count} rows`
  })
  conclude('upload to S3', result, QUICK.length)
  // Confirmed uploads are those in which no call failed (the last run of each fault), and those in which only a
  // later call failed.
  expect(confirmed).toBeLessThan(result.failures + QUICK.length)
})

it.each(['moonraker', 'octoprint', 'prusalink'] as const)(
  'T100 if any call to a printer (%s) fails while a plate is sent, it is printed once and booked once',
  { timeout },
  async (kind) => {
    const app = await buildTestApp({ devices: { limits: { answerMs: 2000 } } })
    const setup = await aPrinterSetup(app, kind)
    const { machine } = setup.printer
    const proxy = await aFaultyProxy(setup.printer.url)
    await app.http.inject({
      method: 'PUT',
      url: `/api/printers/${setup.printerId}`,
      headers: { ...(await app.as('admin')), 'if-match': '*' },
      payload: { address: proxy.url, api_key: PRINTER_KEY },
    })
    let [printed, refused] = [0, 0]
    const result = await failEachCall(proxy, SLOW_FLOW_FAULTS, async (_, failing) => {
      const jobId = await anAssignedJob(app, setup)
      await failing(() => app.printers.run())
      // The server waits until a start command can no longer be on its way, so it needs several visits.
      for (let visit = 0; visit < 12; visit += 1) {
        const { printer, job } = await setupState(app, setup, jobId)
        if (printer.state === 'needs_clearing') await clearBed(app, setup)
        if (job.status === 'completed') break
        if (job.status === 'pending' && printer.state === 'error') {
          // The printer has refused the plate. Its state must give a reason. A person then puts the printer back into
          // use.
          refused += 1
          if (!printer.state_reason || machine.prints.length > printed) return JSON.stringify([printer, job])
          const resumed = await app.http.inject({
            method: 'POST',
            url: `/api/printers/${setup.printerId}/resume`,
            headers: await app.as('staff'),
            payload: {},
          })
          if (resumed.statusCode >= 300) return resumed.body
        }
        app.clock.advance(MINUTE_MS)
        await app.printers.run()
        if (machine.running) machine.advance(100)
      }
      printed += 1
      const { job, booked, stock } = await setupState(app, setup, jobId)
      const counts = [machine.prints.length, booked.length, stock]
      const isRight = job.status === 'completed' && counts.every((count) => count === printed)
      return isRight ? null : JSON.stringify([job, counts, printed])
    })
    console.info(
      `T100 times that a person put the printer back into use after a refusal ${refused} (${kind})`,
    )
    conclude(`print on a printer with ${kind}`, result, 3 * SLOW_FLOW_FAULTS.length)
  },
)

it('T100 if any command to the mail server fails, the mail still arrives, and arrives twice only if a response was lost', {
  timeout,
}, async () => {
  const server = await aMailServer()
  const proxy = await aFaultyMailProxy(server.url)
  const app = await buildTestApp({
    variables: { SMTP_URL: proxy.url, MAIL_FROM: 'Pegasus Ops <ops@example.com>' },
  })
  // This test does not cover the pause before the next attempt.
  await app.database
    .sql`update pgboss.queue set retry_delay = 0, retry_backoff = false where name = 'mail.send'`
  const failures: Record<string, number> = {}
  let doubles = 0
  for (const fault of isLongRun ? QUICK : SLOW_FLOW_FAULTS)
    for (let at = 1, isPast = false; !isPast; at += 1) {
      const name = await app.anAccount('viewer')
      const to = `${name}@example.com`
      proxy.fail(fault, at)
      const sent = await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email: to } })
      expect(sent.statusCode).toBe(200)
      const arrived = () => server.received.filter((mail) => mail.to.includes(to))
      const isSent = async () =>
        (await app.database.sql`select 1 from sent_mails`).length > 0 && arrived().length > 0
      await expect.poll(isSent, { timeout: 60_000, interval: 50 }).toBe(true)
      await app.database.sql`delete from sent_mails`
      isPast = proxy.calls() < at
      if (!isPast) failures[fault] = (failures[fault] ?? 0) + 1
      // All copies have the same Message-ID, so the receiver can tell that they are one email.
      const ids = new Set(arrived().map(({ source }) => /^Message-ID: (.*)\r?$/m.exec(source)?.[1]))
      expect(ids.size).toBe(1)
      if (arrived().length > 1) {
        expect(fault).toBe('lost response')
        doubles += 1
      }
      if (at > 30) throw new Error('a mail takes too many commands')
    }
  console.info(`T100 mails lost 0 of ${JSON.stringify(failures)} failed commands, ${doubles} arrived twice`)
  expect(Math.min(...Object.values(failures))).toBeGreaterThan(4)
  expect(doubles).toBeLessThan(3)
})

it('T100 if the call of a webhook fails, it is delivered in the end, always with the same id', async () => {
  let proxy: FaultyProxy | null = null
  const { app, add, log, received } = await aReceiver({}, async (url) => {
    proxy = await aFaultyProxy(url)
    return proxy.url
  })
  if (proxy === null) throw new Error('There is no proxy.')
  const channel = await add()
  // Any response with a status of success confirms the webhook, so `garbage` is not a fault here.
  const faults = QUICK.filter((fault) => fault !== 'garbage')
  const result = await failEachCall(proxy, faults, async (number, failing) => {
    received.length = 0
    await failing(async () => {
      await causeLowStock(app, `Hook ${number}`)
    })
    app.clock.advance(60 * MINUTE_MS)
    await app.channels.run()
    const ids = new Set(received.map(({ headers }) => headers['webhook-id']))
    const [delivery] = await log(channel)
    return delivery?.state === 'delivered' && ids.size === 1
      ? null
      : JSON.stringify([delivery, received.length])
  })
  conclude('webhook', result, faults.length)
})

it('T100 if any call of a sign-in at an OpenID Connect provider fails, the next sign-in works, and there is one account', {
  timeout,
}, async () => {
  let proxy: FaultyProxy | null = null
  const server = await anOidcServer(CALLBACK, async (handler) => {
    proxy = await aFaultyProxy(await listen(handler))
    return proxy.url
  })
  if (proxy === null) throw new Error('There is no proxy.')
  const app = await buildTestApp({
    variables: {
      PUBLIC_URL: SITE,
      SIGNUPS: 'open',
      SIGN_IN_PROVIDER_ALLOW: server.host,
      GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: 'true',
      GOTRUE_EXTERNAL_KEYCLOAK_URL: server.issuer,
      GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: CLIENT_ID,
      GOTRUE_EXTERNAL_KEYCLOAK_SECRET: CLIENT_SECRET,
    },
  })
  /** Signs in with a new browser, whose own calls can fail, too. Returns whether it gets a token. */
  const signIn = async (): Promise<boolean> =>
    new Browser(app).follow('/auth/v1/authorize?provider=keycloak', isHome).then(
      (landed) => fragmentIn(landed)['access_token'] !== undefined,
      () => false,
    )
  let refused = 0
  const result = await failEachCall(proxy, QUICK, async (number, failing) => {
    const email = `person-${number}@example.com`
    server.person = { sub: `person-${number}`, email, email_verified: true, name: 'Ada' }
    if (!(await failing(signIn))) refused += 1
    // A failed call to the provider is repeated after some seconds.
    app.clock.advance(10 * SECOND_MS)
    const isSignedIn = await signIn()
    const [kept] = await app.database.sql<[{ accounts: number; identities: number }]>`
      select count(distinct a.id)::int as accounts, count(i.id)::int as identities
      from accounts a left join identities i on i.account_id = a.id and i.provider = 'keycloak'
      where a.email = ${email}`
    return isSignedIn && kept.accounts === 1 && kept.identities === 1
      ? null
      : JSON.stringify([isSignedIn, kept])
  })
  console.info(`T100 sign-ins that were refused because of a failed call ${refused}`)
  conclude('sign-in at an OpenID Connect provider', result, 3 * QUICK.length)
})
