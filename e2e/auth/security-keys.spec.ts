import { expect, OWNER } from '../support/fixtures.ts'
import { addVirtualKey, test } from '../support/localhost-product.ts'
import {
  enter,
  expectAccessibleInBothThemes,
  expectSignedIn,
  forgetSession,
  openProfile,
  signIn,
} from '../support/sign-in.ts'

// The server refuses a session before its second step, and the browser logs that as an error.
test.use({ allowedProblem: /status of (40[013]|422)/ })

test('a person can add and remove a security key in the profile, and can confirm a sign-in with it', async ({
  page,
}) => {
  const key = await addVirtualKey(page)
  await signIn(page, OWNER)
  await openProfile(page, 'Security')
  await page.getByRole('button', { name: 'Passkey or security key' }).click()
  const codes = page.getByRole('dialog', { name: 'Store your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await codes.getByRole('button', { name: 'I have stored them' }).click()
  const authenticators = page.getByRole('list', { name: 'Authenticators' })
  await expect(authenticators.getByRole('listitem')).toContainText(['Security key'])
  expect(await key.count()).toBe(1)
  await expectAccessibleInBothThemes(page)

  // A device cannot be added twice.
  await page.getByRole('button', { name: 'Passkey or security key' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'This security key is already registered. Use another one.',
  )
  await expect(authenticators.getByRole('listitem')).toHaveCount(1)

  await forgetSession(page)
  await page.goto('/legacy-login')
  await enter(page, OWNER)
  const step = page.getByRole('heading', { name: 'Use your passkey or security key' })
  await expect(step).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await expect(page.getByLabel('Recovery code')).toBeVisible()
  await page.getByRole('button', { name: 'Use your passkey or security key' }).click()
  await page.getByRole('button', { name: 'Use it now' }).click()
  await expectSignedIn(page)

  await openProfile(page, 'Security')
  await page.getByRole('button', { name: 'Remove Security key' }).click()
  await page.getByRole('button', { name: 'Turn off two-factor' }).click()
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible()
})
