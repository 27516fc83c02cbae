import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

// The offline page needs the service worker, which other tests block. The browser logs each failed request as
// an error.
test.use({ serviceWorkers: 'allow', allowedProblem: /ERR_|Failed to (load|fetch)|NetworkError/ })

test('without a connection, people can read the last lists of their own account, but not those of another account', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'staff')
  const { url } = filledShop.product
  // Search for one item, because other tests add newer items, and the list renders only rows in the window.
  await page.goto(`${url}/?tab=inventory&search=HOOK-1`)
  await expect(page.getByRole('link', { name: /^Wall hook/ })).toBeVisible()
  const isReady = () =>
    page.evaluate(
      async () => (await caches.match('/offline.html')) !== undefined && !!navigator.serviceWorker.controller,
    )
  await expect.poll(isReady).toBe(true)

  await page.context().setOffline(true)
  await page.goto(`${url}/?tab=orders`)
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  const inventory = page.getByRole('table', { name: 'Inventory' })
  await expect(inventory.getByRole('rowheader', { name: /^Wall hook/ })).toBeVisible()

  // The lists of a session are deleted after two weeks, because the session has ended by then.
  const age = (days: number) =>
    page.evaluate(
      (ms) => {
        const key = 'pegasus-ops-offline-lists'
        const kept = JSON.parse(localStorage.getItem(key) ?? '{}')
        localStorage.setItem(key, JSON.stringify({ ...kept, keptAt: Date.now() - ms }))
        return localStorage.getItem(key)
      },
      days * 24 * 60 * 60 * 1000,
    )
  const stored = await age(15)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await expect(inventory).toBeHidden()
  expect(await page.evaluate(() => localStorage.getItem('pegasus-ops-offline-lists'))).toBeNull()
  await page.evaluate((text) => localStorage.setItem('pegasus-ops-offline-lists', text ?? ''), stored)
  await age(13)
  await page.reload()
  await expect(inventory).toBeVisible()

  // Without the session to which they belong, the lists are hidden and deleted.
  await page.evaluate(() => localStorage.removeItem('pegasus-ops-auth'))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await expect(inventory).toBeHidden()
  expect(await page.evaluate(() => localStorage.getItem('pegasus-ops-offline-lists'))).toBeNull()
  await page.context().setOffline(false)
})
