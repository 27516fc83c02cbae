import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test'
import { expect, openProfile, signIn, test } from '../support/sign-in.ts'

// Notifications need the service worker, which other tests block.
test.use({ serviceWorkers: 'allow' })

/**
 * Simulates permission to show notifications and a subscription with real keys, because a browser without a window has
 * neither. The subscription has a public address, at which no server responds.
 */
const allowPush = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    let subscription: object | null = null
    const encode = (bytes: Uint8Array) =>
      btoa(String.fromCodePoint(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
    PushManager.prototype.getSubscription = async () => subscription as PushSubscription | null
    PushManager.prototype.subscribe = async () => {
      const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
        'deriveBits',
      ])
      const p256dh = encode(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
      const auth = encode(crypto.getRandomValues(new Uint8Array(16)))
      subscription = {
        options: {},
        toJSON: () => ({ endpoint: 'https://93.184.216.34/send/1', keys: { p256dh, auth } }),
        unsubscribe: async () => {
          subscription = null
          return true
        },
      }
      return subscription as PushSubscription
    }
  })

/** Returns a function that delivers a message to the service worker of a page, as a push service does. */
async function pushTo(context: BrowserContext, page: Page) {
  const session: CDPSession = await context.newCDPSession(page)
  const registrationId = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  return async (message: object) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(page.url()).origin,
      registrationId: await registrationId,
      data: JSON.stringify(message),
    })
}

/** Makes the service worker record the notifications that it shows, because a browser without a window shows none. */
const keepNotifications = (worker: Worker) =>
  worker.evaluate(() => {
    const shown = new Map<string, unknown>()
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    registration.showNotification = async (title, { tag = '', body, data } = {}) =>
      void shown.set(tag, [title, body, data.path])
    Object.assign(self, { shownNotifications: () => [...shown.values()] })
  })

const shownIn = (worker: Worker) =>
  worker.evaluate(() => (self as unknown as { shownNotifications: () => unknown[] }).shownNotifications())

test('a person turns on notifications, sees an alert, opens its page, and gets nothing after signing out', async ({
  page,
  shop,
  makeAccount,
}) => {
  const context = page.context()
  await context.grantPermissions(['notifications'], { origin: shop.product.url })
  await allowPush(page)
  // The test signs out, so it needs its own session.
  await signIn(page, await makeAccount('Ada Lovelace'))
  await openProfile(page, 'Notifications')
  const panel = page.getByRole('tabpanel', { name: 'Notifications' })
  await panel.getByRole('button', { name: 'Notify me on this device' }).click()
  await expect(panel.getByText('Notifications are on.')).toBeVisible()
  await expect(panel.getByRole('list', { name: 'Devices' }).getByRole('listitem')).toHaveText(/This device/)
  await page.keyboard.press('Escape')

  const push = await pushTo(context, page)
  const [worker] = context.serviceWorkers() as [Worker]
  await keepNotifications(worker)
  const alert = { title: 'Low stock: Wall hook', body: '5 left', path: '/?tab=orders', tag: 'hook' }
  await push(alert)
  await push({ ...alert, body: '4 left' })
  // Send a message of an unknown kind, as a later version of the server may do.
  await push({ kind: 'later' })
  await expect
    .poll(() => shownIn(worker))
    .toEqual([
      ['Low stock: Wall hook', '4 left', '/?tab=orders'],
      ['Pegasus Ops', 'There is a new alert.', '/'],
    ])

  // The browser allows only a real click to focus a tab, so call the function that handles the click.
  await worker.evaluate(
    `openPage('https://evil.example/').then(() => openPage('/?tab=orders')).catch(() => null)`,
  )
  await expect(page).toHaveURL(/tab=orders/)
  await expect(page.getByRole('heading', { name: 'Orders', exact: true }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Sign out' }).filter({ visible: true }).click()
  await expect(page).toHaveURL(/login/)
  const subscription = () =>
    page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription(),
    )
  await expect.poll(subscription).toBeNull()
  expect(await page.evaluate(() => localStorage.getItem('pegasus-ops-push-owner'))).toBeNull()
})
