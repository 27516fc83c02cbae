import { bearer, get } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

interface Backups {
  folder: string
  schedule: { every_hours: number | null; keep: number }
}

test('an administrator can start a backup with one click, and can set the backup schedule', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const page = await openAs(filledShop, 'admin')
  await page.goto(`${url}/?tab=system`)
  const backups = page.locator('section', {
    has: page.getByRole('heading', { name: 'Backups', exact: true }),
  })
  const runs = page.getByRole('list', { name: 'Backups' }).getByRole('listitem')
  const before = await runs.count()
  await backups.getByRole('button', { name: 'Back up now' }).click()
  await expect(runs).toHaveCount(before + 1)
  await expect(runs.first()).toContainText('Done')
  await expect(runs.first()).toContainText(/by hand · [\d,]+ rows · \d+ files? · [\d.]+ [KMG]B/)
  await expect(
    backups.getByText(/^The last good backup is from .* No further backup is planned\.$/),
  ).toBeVisible()

  await backups.getByLabel('Back up', { exact: true }).selectOption('Every day')
  await expect(page.getByText('The schedule is saved.').first()).toBeVisible()
  await backups.getByLabel('Keep').selectOption('The newest 30')
  await expect(backups.getByText(/The next one is due /)).toBeVisible()
  await page.reload()
  await expect(backups.getByLabel('Keep')).toHaveValue('30')
  await expect(backups.getByLabel('Back up', { exact: true })).toHaveValue('24')
  const headers = bearer(filledShop.staff.owner)
  expect((await get<Backups>(`${url}/api/backups`, headers)).schedule).toEqual({ every_hours: 24, keep: 30 })
  await backups.getByLabel('Back up', { exact: true }).selectOption('Off')
  await expect(backups.getByText(/No further backup is planned/)).toBeVisible()

  // The page also shows other data about the installation.
  const server = page.locator('section', { has: page.getByRole('heading', { name: 'Server', exact: true }) })
  await expect(server.getByText(/^PostgreSQL \d+/)).toBeVisible()
  await expect(server.getByText(/ of [\d.]+ GB/)).toBeVisible()
})
