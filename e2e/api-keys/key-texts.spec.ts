import type { Page } from '@playwright/test'
import { type Account, expect, OWNER, signIn, test } from '../support/sign-in.ts'
import {
  type Answer,
  button,
  expectBusy,
  holdBack,
  proxyPage,
  findText,
  whileAnswered,
  WORDLESS,
} from '../support/faults.ts'

// These tests trigger error responses, and the browser logs each one as an error.
test.use({ allowedProblem: /status of (404|418|5\d\d)/ })

async function openKeys(page: Page): Promise<void> {
  await page.goto('/?tab=api-keys')
  await expect(button(page, 'Create New API Key')).toBeVisible()
}

async function fillKey(page: Page, owner: Account, label: string): Promise<void> {
  await button(page, 'Create New API Key').click()
  const form = page.getByRole('dialog', { name: 'Create New API Key' })
  await form.getByLabel('User').selectOption(owner.id)
  await form.getByLabel('Label').fill(label)
}

const details = (page: Page) => page.getByRole('dialog', { name: 'API Key Details' })

test("if creating or rotating an API key fails, the page shows the server's message, or a default message", async ({
  page,
  makeAccount,
}) => {
  const owner = await makeAccount('Robot')
  await signIn(page, OWNER)
  await openKeys(page)
  await fillKey(page, owner, 'Words')
  const form = page.getByRole('dialog', { name: 'Create New API Key' })
  const refused: Answer = (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 418, json: { detail: 'A teapot makes no keys.' } })
      : route.continue()
  await whileAnswered(page, '**/api/api-keys', refused, async () => {
    await button(page, 'Create API Key').click()
    await expect(form.getByRole('alert')).toHaveText('A teapot makes no keys.')
    await expect(page.getByText('A teapot makes no keys.', { exact: true })).toHaveCount(2)
  })
  for (const { name, answer } of WORDLESS)
    await whileAnswered(page, '**/api/api-keys', answer, async () => {
      await button(page, 'Create API Key').click()
      await expect(button(page, 'Create API Key')).toBeEnabled()
      await expect(form.getByRole('alert'), name).toHaveText('Failed to create API key.')
    })
  const held = await holdBack(page, '**/api/api-keys')
  await button(page, 'Create API Key').click()
  await expectBusy(page, 'Creating...')
  held.letGo()
  await expect(findText(page, 'API key created successfully!')).toBeVisible()
  await button(page, 'I have stored the key').click()

  await button(page, 'Details of Words').click()
  const rotate = details(page).getByRole('button', { name: 'Rotate' })
  await whileAnswered(page, '**/api/api-keys/*/rotate', refused, async () => {
    await rotate.click()
    await expect(findText(page, 'A teapot makes no keys.')).toBeVisible()
  })
  await whileAnswered(page, '**/api/api-keys/*/rotate', proxyPage(502), async () => {
    await rotate.click()
    await expect(findText(page, 'Failed to rotate API key.')).toBeVisible()
  })
})

test('only the message about a new API key stays for ten seconds; other messages stay for five seconds', async ({
  page,
  makeAccount,
}) => {
  const owner = await makeAccount('Robot')
  await signIn(page, OWNER)
  await page.clock.install()
  await openKeys(page)
  await fillKey(page, owner, 'Minutes')
  await page.clock.pauseAt(Date.now() + 60_000)
  await button(page, 'Create API Key').click()
  const created = findText(page, 'API key created successfully!')
  await expect(created).toBeVisible()
  await page.clock.runFor(9500)
  await expect(created).toBeVisible()
  await expect(page.getByText('The key is hidden now.')).toBeHidden()
  await page.clock.runFor(1000)
  await expect(created).toBeHidden()
  await expect(page.getByText('The key is hidden now.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  await page.clock.resume()
  await button(page, 'Details of Minutes').click()
  const toggle = details(page).getByRole('switch')
  await expect(toggle).toBeVisible()
  await page.clock.pauseAt(Date.now() + 300_000)
  await toggle.click()
  const disabled = findText(page, 'API key disabled successfully!')
  await expect(disabled).toBeVisible()
  await page.clock.runFor(4500)
  await expect(disabled).toBeVisible()
  await page.clock.runFor(1000)
  await expect(disabled).toBeHidden()
})

test('a double click on Rotate replaces the key once, and the shown key works', async ({
  page,
  makeAccount,
}) => {
  const owner = await makeAccount('Robot')
  await signIn(page, OWNER)
  await openKeys(page)
  await fillKey(page, owner, 'Twice')
  await button(page, 'Create API Key').click()
  await button(page, 'I have stored the key').click()
  let rotations = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/rotate')) rotations += 1
  })
  await button(page, 'Details of Twice').click()
  await details(page).getByRole('button', { name: 'Rotate' }).dblclick()
  const shown = page.getByRole('dialog', { name: 'Store the new key' }).locator('code').first()
  const key = await shown.innerText()
  await expect(findText(page, 'API key rotated successfully!')).toBeVisible()
  expect(rotations).toBe(1)
  const answer = await page.request.get('/api/integration/stock', { headers: { 'X-API-Key': key } })
  expect(answer.status()).toBe(200)
})
