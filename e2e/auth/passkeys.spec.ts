import { expect, OWNER } from '../support/fixtures.ts'
import { addVirtualKey, test } from '../support/localhost-product.ts'
import {
  expectAccessibleInBothThemes,
  expectSignedIn,
  forgetSession,
  openProfile,
  signIn,
} from '../support/sign-in.ts'

// The test provokes refusals, and the browser logs each as an error.
test.use({ allowedProblem: /status of 400/ })

test('a person can add, rename and remove a passkey in the profile, and can sign in with it without a password', async ({
  page,
}) => {
  const device = await addVirtualKey(page)
  await signIn(page, OWNER)
  await openProfile(page, 'Security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const passkeys = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
  await expect(passkeys).toContainText(['not used yet'])
  expect(await device.count()).toBe(1)
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Rename Passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename passkey' })
  await dialog.getByLabel('Name').fill('Work laptop')
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(passkeys).toContainText(['Work laptop'])

  await forgetSession(page)
  await page.goto('/login')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await expect(button).toBeVisible()
  await expectAccessibleInBothThemes(page)
  // A device that has not verified its owner does not use a passkey.
  await device.setPersonVerified(false)
  await button.click()
  await expect(page.getByRole('alert')).toHaveText('No passkey or security key was used. Please try again.')
  await device.setPersonVerified(true)
  await button.click()
  await expectSignedIn(page)

  await openProfile(page, 'Security')
  await expect(passkeys).toContainText(['last used'])
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(passkeys).toHaveCount(0)

  // The device still has the passkey, which no longer belongs to an account.
  await forgetSession(page)
  await page.goto('/login')
  await button.click()
  await expect(page.getByRole('alert')).toHaveText(
    'No account has this passkey. Sign in another way, then add it in your profile.',
  )
})
