import type { Page } from '@playwright/test'
import { aWebm } from '../../apps/server/test/support/library/pictures.ts'
import { button, whileAnswered } from '../support/faults.ts'
import { expect } from '../support/fixtures.ts'
import { PHOTO } from '../support/photo.ts'
import { test } from '../support/staffed-shop.ts'

// The page and the browser log refused uploads as errors.
test.use({ allowedProblem: /status of (400|503)|upload of .* failed|could not be asked for/ })

const FOLDER = '/storage/v1/object/public/product-images/images/products'
const STORAGE = '**/storage/v1/object/product-images/**'

const chosen = (page: Page) => page.getByRole('list', { name: 'To upload' }).getByRole('listitem')
const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')
const photo = (name: string) => ({ ...PHOTO, name })
const video = { name: 'Turn.WEBM', mimeType: 'video/webm', buffer: Buffer.from(aWebm()) }
const choose = (page: Page, ...files: (typeof PHOTO)[]) =>
  page.getByLabel('Files', { exact: true }).setInputFiles(files)

test('uploaded files are named after the slug, and replace files with the same name only after a confirmation', async ({
  newShop,
  openAs,
}) => {
  const { url } = newShop.product
  const page = await openAs(newShop, 'employee')
  const sent: Record<string, string>[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/object/product-images/'))
      sent.push(request.headers())
  })
  await page.goto('/admin/media')
  await expect(page.getByRole('heading', { name: 'Product media', level: 1 })).toBeVisible()
  await expect(page.getByLabel('Files', { exact: true })).toHaveAttribute('accept', '.jpg,.jpeg,.webp,.webm')
  const alert = page.getByRole('alert').filter({ hasText: 'Please enter a slug and select files' })
  await button(page, 'Upload Files').click()
  await expect(alert).toHaveText('Please enter a slug and select files')
  await page.getByLabel('Product slug').fill('hook')
  await expect(alert).toHaveCount(0)
  await button(page, 'Upload Files').click()
  await expect(alert).toBeVisible()

  await choose(page, photo('IMG 1.JPG'))
  await expect(chosen(page)).toContainText('hook.jpg')
  await button(page, 'Upload Files').click()
  await expect(results(page)).toContainText(`${url}${FOLDER}/hook.jpg`)
  expect(sent[0]).toMatchObject({ 'x-upsert': 'true', authorization: expect.stringMatching(/^Bearer ./) })
  const stored = await page.request.get(`${url}${FOLDER}/hook.jpg`)
  expect([stored.status(), stored.headers()['content-type'], stored.headers()['cache-control']]).toEqual([
    200,
    'image/jpeg',
    expect.stringContaining('max-age=3600'),
  ])

  // Upload several files: two pictures, one of them the poster, and a video.
  await choose(page, photo('a.jpeg'), photo('b.jpg'), video)
  await page.getByLabel('Mark a single image as poster').check()
  await page.getByLabel('Mark .webm as video').check()
  await expect(chosen(page)).toContainText(['hook-poster.jpg', 'hook-1.jpg', 'hook.webm'])
  await button(page, 'Make b.jpg the poster').click()
  await expect(chosen(page)).toContainText(['hook-1.jpg', 'hook-poster.jpg', 'hook.webm'])
  await button(page, 'Upload Files').click()
  await expect(results(page)).toContainText([
    `${url}${FOLDER}/hook-1.jpg`,
    `${url}${FOLDER}/hook-poster.jpg`,
    `${url}${FOLDER}/hook.webm`,
  ])
  const turn = await page.request.get(`${url}${FOLDER}/hook.webm`)
  expect([turn.status(), turn.headers()['content-type']]).toEqual([200, 'video/webm'])

  // The stored file and the new one are shown side by side before the upload.
  await page.getByLabel('Mark a single image as poster').uncheck()
  await choose(page, photo('new.jpg'))
  await expect(page.getByText(/^One file will replace files that are already stored/)).toBeVisible()
  await expect(chosen(page).getByRole('img', { name: 'The stored hook.jpg' })).toBeVisible()
  await expect(chosen(page).getByText('New', { exact: true })).toBeVisible()
  await button(page, 'Upload Files').click()
  await expect(results(page)).toHaveText(/uploaded/)
  await page.getByRole('link', { name: 'Back to Admin' }).click()
  await expect(page).toHaveURL(`${url}/`)
})

test('the page shows why a file cannot be stored, and lets the person upload it again', async ({
  newShop,
  openAs,
}) => {
  const page = await openAs(newShop, 'staff')
  await page.goto('/admin/media')
  await page.getByLabel('Product slug').fill('../../etc')
  await choose(page, photo('a.jpg'))
  await button(page, 'Upload Files').click()
  await expect(page.getByText('Slug must contain only lowercase letters, numbers, and hyphens')).toBeVisible()
  await page.getByLabel('Product slug').fill('tray')
  await choose(
    page,
    { name: 'fake.webm', mimeType: 'video/webm', buffer: Buffer.from('no video') },
    photo('notes.gif'),
  )
  await expect(chosen(page).filter({ hasText: 'notes.gif' })).toContainText(
    'Only .jpg, .jpeg, .webp, .webm files can be uploaded here.',
  )
  await button(page, 'Upload Files').click()
  const fake = results(page).filter({ hasText: 'fake.webm' })
  await expect(fake.getByRole('alert')).toHaveText(/WebM/)
  await expect(results(page).filter({ hasText: 'a.jpg' })).toContainText('tray.jpg')
  await expect(chosen(page)).toHaveCount(1)

  await button(page, 'Remove notes.gif').click()
  await choose(page, photo('b.jpg'))
  const down = {
    status: 503,
    json: { statusCode: '503', error: 'Error', message: 'The object store is full.' },
  }
  await whileAnswered(
    page,
    STORAGE,
    (route) => route.fulfill(down),
    async () => {
      await button(page, 'Upload Files').click()
      await expect(results(page).getByRole('alert')).toHaveText('The object store is full.')
    },
  )
  await button(page, 'Retry b.jpg').click()
  await expect(results(page)).toContainText('uploaded')
})
