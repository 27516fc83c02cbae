import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Page } from '@playwright/test'
import { buildZip } from '../../packages/mesh/test/zip-tools.ts'
import { pressSignOut } from '../support/controls.ts'
import { noAnswer, WORDLESS, whileAnswered } from '../support/faults.ts'
import { expect } from '../support/fixtures.ts'
import { hireStaff } from '../support/accounts.ts'
import { openShop } from '../support/shop.ts'
import { test as base, type StaffedShop } from '../support/staffed-shop.ts'
import { choose, dialogOf, drop, gear, heading, line, openTray, press, tray } from '../support/upload-tray.ts'

/** A foreign website. The test sets its responses. */
interface ModelSite {
  url: string
  /** The responses by path. Any other path gets a 404. */
  answers: Map<string, (response: ServerResponse) => void>
}

interface PerTest {
  staffPage: Page
}

interface PerWorker {
  site: ModelSite
  /** A shop that may download from this site. */
  shop: StaffedShop
}

const test = base.extend<PerTest, PerWorker>({
  site: [
    async ({}, use) => {
      const answers: ModelSite['answers'] = new Map()
      const server = createServer((request, response) => {
        const answer = answers.get(request.url ?? '')
        if (answer) answer(response)
        else response.writeHead(404).end('not here')
      })
      await use({ url: await listen(server), answers })
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ site }, use) => {
      const shop = await openShop({ URL_IMPORT_ALLOW: new URL(site.url).host })
      await use({ ...shop, staff: await hireStaff(shop.product.url) })
      await shop.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  staffPage: async ({ shop, openAs }, use) => {
    const page = await openAs(shop, 'staff')
    await page.goto('/?tab=stl-library')
    await expect(page.getByRole('button', { name: 'Upload STL' })).toBeVisible()
    await use(page)
  },
})

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return `http://127.0.0.1:${address.port}`
}

// These tests provoke refusals and missing responses.
test.use({ allowedProblem: /status of (404|409|422|50\d)|ERR_FAILED/ })

const UPLOADS = '**/api/stl-files/upload'

test('of twelve dropped files and an archive, each is added or shows the reason why it was not', async ({
  staffPage: page,
}) => {
  const gears = Array.from({ length: 10 }, (_, index) => gear(12 + index))
  const cut = { name: 'cut.stl', bytes: gear(40).bytes.slice(0, -30) }
  const again = { name: 'gear again.stl', bytes: gear(12).bytes }
  const archive = {
    name: 'robot set.zip',
    bytes: buildZip([
      { name: 'set/left.stl', data: gear(30).bytes },
      { name: 'set/right.stl', data: gear(31).bytes },
      { name: 'set/broken.stl', data: gear(32).bytes.slice(0, -30) },
      { name: 'set/spare/left.stl', data: gear(33).bytes },
      { name: 'set/known.stl', data: gear(13).bytes },
      { name: 'read me.txt', data: 'Thank you.' },
    ]),
  }
  await drop(page, [...gears, cut, archive, again])

  // One form is shown for all files.
  const dialog = dialogOf(page)
  await expect(dialog.getByText('13 files')).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'To upload' }).getByRole('listitem')).toHaveCount(13)
  await expect(dialog.getByLabel('Title')).toBeDisabled()
  await expect(dialog.getByText(/^A title is for a single file/)).toBeVisible()
  await expect(dialog.getByLabel('License')).toHaveValue('Public Domain')
  // The preset license does not decide about sales until a person chooses it.
  await expect(dialog.getByText(/^This is only a preset/)).toBeVisible()
  await dialog.getByLabel('License').selectOption('CC0')
  await expect(dialog.getByText(/^Its author gave up all rights/)).toBeVisible()
  await dialog.getByLabel('License').selectOption('Public Domain')
  await expect(dialog.getByText(/^Nobody holds rights/)).toBeVisible()
  await dialog.getByLabel('Tags').fill('Drop, gears')
  await press(dialog, 'Upload')
  await expect(dialog).toBeHidden()

  // Wait until every result is shown.
  await expect(heading(page)).toHaveText('11 added · 1 archive to choose from · 1 failed', {
    timeout: 60_000,
  })
  await openTray(page)
  await expect(line(page, 'cut.stl').getByRole('alert')).toHaveText(/^The file ends inside triangle/)
  await expect(line(page, 'gear 12.stl')).toContainText('watertight')
  await expect(line(page, 'gear again.stl')).toContainText('Already in the library as gear 12')
  await expect(page.getByRole('article').filter({ hasText: 'gear 21' })).toContainText('gears')

  // A repaired file replaces the refused one.
  await line(page, 'cut.stl')
    .getByLabel('Replace cut.stl')
    .setInputFiles({
      name: 'mended.stl',
      mimeType: 'model/stl',
      buffer: Buffer.from(gear(40).bytes),
    })
  await expect(heading(page)).toHaveText('12 added · 1 archive to choose from')

  // After a reload, the archive still waits until a person chooses its entries.
  await page.reload()
  await openTray(page)
  await expect(heading(page)).toHaveText('1 archive to choose from')
  await expect(line(page, 'robot set.zip')).toContainText('5 models in 6 files')
  await press(page, 'Choose files of robot set.zip')
  const list = page.getByRole('dialog', { name: 'Choose from robot set.zip' })
  await expect(list.getByRole('status')).toHaveText(/^4 of 5 models · /)
  await expect(list.getByRole('listitem').filter({ hasText: 'known.stl' })).toContainText(
    'Already in the library as gear 13',
  )
  await expect(list.getByLabel('known.stl')).not.toBeChecked()
  await expect(list.getByRole('listitem').filter({ hasText: 'read me.txt' })).toContainText('Not a model')
  await expect(list.getByRole('heading', { name: 'set/spare' })).toBeVisible()
  await press(list, 'Select none')
  await expect(list.getByRole('status')).toHaveText(/^0 of 5 models/)
  await press(list, 'Add models')
  await expect(list.getByRole('alert')).toHaveText('Please choose at least one file.')
  await press(list, 'Select all')
  await list.getByRole('region', { name: 'set/spare' }).getByLabel('left.stl').uncheck()
  await list.getByLabel('known.stl').uncheck()
  await press(list, 'Add 3 models')

  // Check the progress and the result of each file.
  const result = page.getByRole('dialog', { name: 'robot set.zip' })
  await expect(result.getByRole('status')).toHaveText('2 models added · 1 failed')
  await expect(result.getByRole('listitem').filter({ hasText: 'broken.stl' })).toContainText(
    'The file ends inside triangle',
  )
  await expect(result.getByRole('region', { name: 'set/spare' })).toContainText('Left out')
  await press(result, 'Try 1 failed file again')
  await expect(result.getByRole('status')).toHaveText('2 models added · 1 failed')
  await result.getByRole('link', { name: 'right.stl' }).click()
  await expect(page.getByRole('heading', { name: 'right', exact: true })).toBeVisible()
})

test('a failed upload shows the exact message in the dialog and keeps the typed values', async ({
  staffPage: page,
}) => {
  await page.getByRole('button', { name: 'Upload STL' }).click()
  const dialog = dialogOf(page)
  const input = dialog.getByLabel('File')
  await expect(input).toHaveAttribute('accept', '.stl,.3mf,.obj,.zip')
  await press(dialog, 'Upload')
  await expect(dialog.getByRole('alert')).toHaveText('Please select a file to upload.')
  await dialog.getByLabel('From an address').check()
  await press(dialog, 'Upload')
  await expect(dialog.getByRole('alert')).toHaveText('Please enter a URL.')
  await dialog.getByLabel('URL', { exact: true }).fill('http://169.254.169.254/latest')
  await press(dialog, 'Upload')
  await expect(dialog.getByRole('alert')).toHaveText(/^This address cannot be fetched/)
  await expect(dialog.getByLabel('URL', { exact: true })).toHaveValue('http://169.254.169.254/latest')

  // Cancel also aborts the running request. Its late response would change the next upload.
  await page.route(UPLOADS, () => {})
  const cancelling = press(dialog, 'Upload').then(() => press(dialog, 'Cancel'))
  await Promise.all([page.waitForEvent('requestfailed'), cancelling])
  await page.unroute(UPLOADS)
  await page.getByRole('button', { name: 'Upload STL' }).click()
  await dialog.getByLabel('From this device').check()
  const { name, bytes } = gear(50)
  await input.setInputFiles({ name, mimeType: 'model/stl', buffer: Buffer.from(bytes) })
  await dialog.getByLabel('Title').fill('Fifty teeth')
  await dialog.getByLabel('Attribution URL').fill('thingiverse')
  await press(dialog, 'Upload')
  await expect(dialog.getByRole('alert').first()).toHaveText(
    'Attribution URL must be a web address (http or https)',
  )
  await dialog.getByLabel('Attribution URL').fill('')
  for (const { name: way, answer } of [...WORDLESS, { name: 'no answer', answer: noAnswer }])
    await whileAnswered(page, UPLOADS, answer, async () => {
      await press(dialog, 'Upload')
      await expect(dialog.getByRole('alert'), way).toHaveText('Failed to upload. Please try again.')
    })
  await whileAnswered(
    page,
    UPLOADS,
    (route) => route.fulfill({ status: 507, json: { detail: 'The disk is full.' } }),
    async () => {
      await press(dialog, 'Upload')
      await expect(dialog.getByRole('alert')).toHaveText('The disk is full.')
    },
  )
  await expect(dialog.getByLabel('Title')).toHaveValue('Fifty teeth')
  await press(dialog, 'Upload')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('article').filter({ hasText: 'Fifty teeth' })).toHaveCount(1)
})

test('uploads continue on other pages, and the app asks for a confirmation before a person leaves it', async ({
  staffPage: page,
}) => {
  let held = 0
  await page.route(UPLOADS, () => {
    held += 1
  })
  await choose(page, [gear(60), gear(61), gear(62)])
  await press(dialogOf(page), 'Upload')
  await expect(heading(page)).toHaveText('Uploading 3 of 3')
  await expect(tray(page).getByRole('progressbar')).toHaveCount(2)
  await expect(line(page, 'gear 62.stl')).toContainText('waiting')

  // The uploads continue while another page is open.
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  const dashboard = page
    .getByRole('heading', { name: 'Set up your shop' })
    .or(page.getByText('Newest models'))
  await expect(dashboard.first()).toBeVisible()
  await expect(heading(page)).toHaveText('Uploading 3 of 3')
  const [warning] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })])
  expect(warning.type()).toBe('beforeunload')
  await warning.dismiss()

  // A sign-out also asks for a confirmation, and says how many uploads it would stop.
  await pressSignOut(page)
  const question = page.getByRole('dialog', { name: 'Sign out while files are being uploaded?' })
  await expect(question).toContainText('3 uploads would be stopped.')
  await press(question, 'Stay signed in')
  await expect(heading(page)).toHaveText('Uploading 3 of 3')

  // Cancel an upload, so that the next one starts. Then let the retries fail.
  await press(page, 'Cancel gear 60.stl')
  await expect(line(page, 'gear 60.stl')).toContainText('Cancelled')
  await expect(line(page, 'gear 60.stl')).toBeFocused()
  await expect(line(page, 'gear 62.stl').getByRole('progressbar')).toBeVisible()
  await expect.poll(() => held).toBe(3)
  await press(page, 'Cancel gear 61.stl')
  await press(page, 'Cancel gear 62.stl')
  await page.unroute(UPLOADS)
  await page.route(UPLOADS, noAnswer)
  for (const name of ['gear 60.stl', 'gear 61.stl']) {
    await press(page, `Retry ${name}`)
    await expect(line(page, name).getByRole('alert')).toHaveText('Failed to upload. Please try again.')
  }
  await page.unroute(UPLOADS)
  // When a line is removed, the focus moves to the heading of the tray.
  await press(page, 'Dismiss gear 62.stl')
  await expect(line(page, 'gear 62.stl')).toHaveCount(0)
  await expect(tray(page).getByRole('button', { name: 'Minimize uploads' })).toBeFocused()
  for (const name of ['gear 60.stl', 'gear 61.stl']) await press(page, `Retry ${name}`)
  await expect(heading(page)).toHaveText('2 added')

  // The tray does not cover the selection bar: the buttons of both can be used.
  await page.goBack()
  await page.getByRole('checkbox', { name: 'Select gear 61' }).check()
  await openTray(page)
  await press(page, 'Minimize uploads')
  await openTray(page)
  await press(page.getByRole('region', { name: 'Selection' }), 'Clear')
  await line(page, 'gear 61.stl').getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'gear 61' })).toBeVisible()
  await openTray(page)
  await press(page, 'Clear finished')
  // Check only these lines, because earlier tests may have left failures in the tray.
  for (const name of ['gear 60.stl', 'gear 61.stl']) await expect(line(page, name)).toHaveCount(0)
})

test('a person can import a model from a web address, and can retry or cancel the import', async ({
  staffPage: page,
  site,
}) => {
  const { bytes } = gear(70)
  const fetchFrom = async (path: string) => {
    await page.getByRole('button', { name: 'Upload STL' }).click()
    await dialogOf(page).getByLabel('From an address').check()
    await dialogOf(page).getByLabel('URL', { exact: true }).fill(`${site.url}${path}`)
    await press(dialogOf(page), 'Upload')
    await expect(dialogOf(page)).toBeHidden()
    await openTray(page)
  }

  // The site sends half of the file, and later the rest.
  let sendRest = (): void => {}
  site.answers.set('/arm%20v2.stl', (response) => {
    response.writeHead(200, { 'Content-Type': 'model/stl', 'Content-Length': bytes.length })
    response.write(bytes.slice(0, bytes.length / 2))
    sendRest = () => response.end(bytes.slice(bytes.length / 2))
  })
  await fetchFrom('/arm%20v2.stl')
  const bar = line(page, 'arm v2.stl').getByRole('progressbar', { name: 'Fetching arm v2.stl' })
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(40)
  await expect(line(page, 'arm v2.stl')).toContainText(/ of \d+\.\d KB/)
  await page.reload()
  await openTray(page)
  await expect(bar).toBeVisible()
  sendRest()
  await expect(line(page, 'arm v2.stl')).toContainText('watertight')

  // At first, the file does not exist. It exists at the retry.
  await fetchFrom('/gone.stl')
  await expect(line(page, 'gone.stl').getByRole('alert')).toHaveText(
    /^Nothing could be fetched from this address/,
    {
      timeout: 60_000,
    },
  )
  site.answers.set('/gone.stl', (response) => response.end(gear(71).bytes))
  await press(page, 'Retry gone.stl')
  // On a phone, the tray collapses once everything has arrived.
  await expect(async () => {
    await openTray(page)
    await expect(line(page, 'gone.stl').getByRole('link')).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 60_000 })

  // Cancel a download that never ends.
  site.answers.set('/endless.stl', (response) => {
    response.writeHead(200, { 'Content-Length': 1_000_000 })
    response.write(bytes.slice(0, 1000))
  })
  await fetchFrom('/endless.stl')
  await press(page, 'Cancel endless.stl')
  await expect(line(page, 'endless.stl')).toBeHidden()

  // An import of an archive from a web address also lets the person choose its files.
  site.answers.set('/set.zip', (response) =>
    response.end(buildZip([{ name: 'one.stl', data: gear(72).bytes }])),
  )
  await fetchFrom('/set.zip')
  await press(page, 'Choose files of set.zip')
  await press(page, 'Add 1 model')
  await expect(page.getByRole('dialog', { name: 'set.zip' }).getByRole('status')).toHaveText(
    '1 model added',
    {
      timeout: 60_000,
    },
  )
  await press(page.getByRole('dialog', { name: 'set.zip' }), 'Done')

  await openTray(page)
  await line(page, 'arm v2.stl').getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'arm v2' })).toBeVisible()
})
