import { OWNER, expect, test } from '../support/fixtures.ts'

// These tests provoke refusals, and the browser logs each as an error.
test.use({ allowedProblem: /status of 40[013]|environment check failed/ })

test('the sign-in leads visitors to the page that they requested, but never to another site', async ({
  page,
}) => {
  await page.goto('/?tab=filament')
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/\?tab=filament$/)

  for (const next of [
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'https://evil.example',
    '%2F%2Fevil.example',
  ]) {
    await page.goto(`/login?next=${next}`)
    await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/(\?.*)?$/)
  }
  await page.goto('/legacy-login')
  await expect(page).toHaveURL(/:\d+\/$/)
  for (const address of ['/admin', '/admin/', '/Admin']) {
    await page.goto(address)
    await expect(page).toHaveURL(/:\d+\/$/)
  }
  for (const address of ['/admin/media', '/admin/products/new', '/admin/products/new/wizard', '/wizard']) {
    await page.goto(address)
    await expect(page.getByRole('link', { name: 'Back to Admin' })).toBeVisible()
  }
  await page.goto('/no/such/place')
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
  const unknown = page.getByText('There is no page at this address.')
  await expect(unknown).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(unknown).toHaveCount(0)
})

test('JSON that is not a configuration counts as a failed environment check, and the app continues', async ({
  page,
}) => {
  await page.route('**/api/config', (route) => route.fulfill({ json: {} }))
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Need an account? Sign up' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in with username' }).click()
  await page.getByLabel('Username').fill(OWNER.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
})

test('a sign-out in one tab ends the session in all tabs', async ({ page, context }) => {
  await page.goto('/legacy-login')
  await page.getByLabel('Username').fill(OWNER.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
  const other = await context.newPage()
  await other.goto('/?tab=stl-library')
  await expect(other.getByRole('button', { name: 'Upload STL' }).first()).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const answer = await page.request.post('/auth/v1/logout?scope=global', {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status()).toBe(204)
  // The tab may have noticed the sign-out itself, because its event stream ended.
  await Promise.race([
    page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Inventory' }).click(),
    page.waitForURL(/\/login/),
  ])
  await expect(page).toHaveURL(/\/login/)
  await expect(other).toHaveURL(/\/login/)
})
