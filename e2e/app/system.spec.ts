import { bearer, get } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

interface Backups {
  folder: string
  runs: object[]
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
  const headers = bearer(filledShop.staff.owner)
  // Ask the server, because the page may still be loading its list.
  const before = (await get<Backups>(`${url}/api/backups`, headers)).runs.length
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
  expect((await get<Backups>(`${url}/api/backups`, headers)).schedule).toEqual({ every_hours: 24, keep: 30 })
  await backups.getByLabel('Back up', { exact: true }).selectOption('Off')
  await expect(backups.getByText(/No further backup is planned/)).toBeVisible()

  // The page also shows other data about the installation.
  const server = page.locator('section', { has: page.getByRole('heading', { name: 'Server', exact: true }) })
  await expect(server.getByText(/^PostgreSQL \d+/)).toBeVisible()
  await expect(server.getByText(/ of [\d.]+ GB/)).toBeVisible()
})

test('an administrator sees a failed task with its error, and tries it again', async ({
  filledShop,
  openAs,
}, { project }) => {
  const { product, database, model } = filledShop
  const error = `The picture could not be stored on the ${project.name}.`
  const statusOfTurntable = async () => {
    const response = await fetch(`${product.url}/api/stl-files/${model.id}/turntable`, {
      headers: bearer(filledShop.staff.owner),
    })
    return response.status
  }
  // Wait for the turntable. The server accepts no retry before the model is analyzed, or while a turntable is being
  // drawn.
  await expect.poll(statusOfTurntable).toBe(200)
  await database.sql`
    update stl_versions set turntable_key = null where stl_file_id = ${model.id}`
  await database.sql`
    insert into pgboss.job (name, data, state, output, retry_count, retry_limit, started_on, completed_on)
    select 'stl-library.turntable', jsonb_build_object('sha256', sha256), 'failed',
      ${database.sql.json({ name: 'Error', message: error })}, 1, 1, now(), now()
    from stl_versions where stl_file_id = ${model.id} limit 1`
  const page = await openAs(filledShop, 'admin')
  await page.goto(`${product.url}/?tab=system`)
  const row = page
    .getByRole('list', { name: 'Failed tasks' })
    .getByRole('listitem')
    .filter({ hasText: error })
  await expect(row).toContainText('Draw the turntable of a model')
  await expect(row).toContainText(/2 attempts, the last on /)
  await expect(row).toContainText('gave up')
  await expect(row.getByRole('link')).toHaveAttribute('href', `/?tab=stl-library&model=${model.id}`)
  await row.getByRole('button', { name: /^Try again/ }).click()
  await expect(page.getByText('The task is being tried again.').first()).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect
    .poll(async () => {
      const [version] = await database.sql`
        select turntable_key is not null as is_drawn from stl_versions where stl_file_id = ${model.id} limit 1`
      return version?.is_drawn
    })
    .toBe(true)
})

test('an administrator sees which statements of the database are slow', async ({ filledShop, openAs }) => {
  const { url } = filledShop.product
  const page = await openAs(filledShop, 'admin')
  await page.goto(`${url}/?tab=system`)
  const card = page.locator('section', {
    has: page.getByRole('heading', { name: 'Slow statements', exact: true }),
  })
  await expect(card.getByText(/Measured by one server since its start on /)).toBeVisible()
})

test('the System page shows an administrator first what needs attention, with a link to the log of a failing channel', async ({
  filledShop,
  openAs,
}, { project }) => {
  const { product, database } = filledShop
  const name = `Chat of the ${project.name}`
  const [printer] = await database.sql`
    update printers set state = 'error', state_reason = 'The nozzle is cold'
    where id = (select id from printers where deleted_at is null order by number limit 1) returning id, name`
  const [channel] = await database.sql`
    insert into channels (id, name, kind, address_sealed, shown_address, events, created_at, updated_at)
    values (gen_random_uuid(), ${name}, 'slack', 'x', 'https://chat.example', '{low_stock}', now(), now()) returning id`
  await database.sql`
    insert into channel_deliveries (id, channel_id, event, content, state, next_attempt_at, created_at, finished_at)
    select gen_random_uuid(), ${channel?.id}, 'low_stock', '{"title": "Low stock"}', state, next, now(), null
    from (values ('failed', null::timestamptz), ('waiting', '2099-01-01')) each (state, next)`
  const page = await openAs(filledShop, 'admin')
  await page.goto(`${product.url}/?tab=system`)
  await expect(page.getByRole('heading', { name: /^\d+ things? needs? you$/ })).toBeVisible()
  const needs = page.getByRole('list', { name: 'Needs you' })
  await expect(needs.getByRole('link', { name: /printers? ha(s|ve) an error\.$/ })).toHaveAttribute(
    'href',
    '/?tab=print-queue&view=printers',
  )
  const stopped = page.getByRole('list', { name: 'Stopped printers' }).getByRole('listitem')
  await expect(stopped.filter({ hasText: printer?.name })).toContainText('The nozzle is cold')
  await expect(page.getByRole('heading', { name: 'Shops', exact: true })).toBeVisible()
  await expect(
    page.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: name }),
  ).toContainText('1 delivery waits')
  await needs.getByRole('link', { name: `1 delivery to ${name} failed.` }).click()
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  await expect(page).toHaveURL(/channel=/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).not.toHaveURL(/channel=/)
  await database.sql`update printers set state = 'available', state_reason = null where id = ${printer?.id}`
  await database.sql`delete from channels where id = ${channel?.id}`
})
