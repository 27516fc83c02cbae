import type { Page } from '@playwright/test'
import { startGuest } from '../support/guest-product.ts'
import type { Product } from '../support/harness.ts'
import {
  type Account,
  ageSignIns,
  expect,
  expectSignedIn,
  openProfile,
  OWNER,
  test as base,
} from '../support/sign-in.ts'

/** Starts a product that uses the accounts of another product, its hosted project. */
const test = base.extend<object, { guest: Product }>({
  guest: [
    async ({ shop }, use) => {
      const guest = await startGuest(shop.product)
      await use(guest)
      await guest.stop()
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  baseURL: async ({ guest }, use) => {
    await use(guest.url)
  },
})

// The browser logs an error for each refused request: with a wrong password, with a session that is too old, or with a
// session that a new password has ended.
test.use({ allowedProblem: /status of 40[013]/ })

const NEW_PASSWORD = 'a lantern in the harbour'

/** Fills in and submits the sign-in page, which must be open. */
async function enter(page: Page, { email, password }: Pick<Account, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectSignedIn(page)
}

test('people change their name and their password in the hosted project, and confirm who they are there', async ({
  page,
  makeAccount,
  shop,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await page.goto('/login')
  await enter(page, ada)
  await openProfile(page)
  const panel = page.getByRole('tabpanel')
  await panel.getByLabel('Full Name').fill('Ada King')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.getByText('Profile updated successfully!', { exact: true })).toBeVisible()
  await expect(page.getByRole('dialog').getByText('Ada King', { exact: true })).toBeVisible()

  // The project allows a new email address only after a recent sign-in.
  await ageSignIns(shop, ada)
  await panel.getByLabel('Email').fill(`new.${ada.email}`)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  const question = page.getByRole('dialog', { name: "Confirm it's you" })
  await question.getByRole('textbox', { name: 'Password' }).fill('not my password')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question.getByRole('alert')).toHaveText('Invalid login credentials')
  await question.getByRole('textbox', { name: 'Password' }).fill(ada.password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question).toBeHidden()
  await expect(panel.getByLabel('Email')).toHaveValue(`new.${ada.email}`)

  await page.getByRole('tab', { name: 'Password' }).click()
  const change = page.getByRole('button', { name: 'Change Password' })
  await panel.getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD)
  await panel.getByLabel('Confirm New Password', { exact: true }).fill(NEW_PASSWORD)
  await panel.getByLabel('Current Password', { exact: true }).fill('not my password')
  await change.click()
  await expect(panel.getByRole('alert')).toContainText('Current password is incorrect.')
  await panel.getByLabel('Current Password', { exact: true }).fill(ada.password)
  await change.click()
  await expect(page.getByText('Password changed successfully!', { exact: true })).toBeVisible()
  // The app signs the person out and opens the sign-in page.
  await expect(page).toHaveURL(/\/login/, { timeout: 15_000 })
  await enter(page, { email: `new.${ada.email}`, password: NEW_PASSWORD })
})

test('screens offer no changes that only the hosted project can make', async ({ page, makeAccount }) => {
  const bob = await makeAccount('Bob Stone')
  await page.goto('/login')
  await enter(page, bob)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await enter(page, OWNER)
  await page.goto('/?tab=people')
  await page.getByRole('button', { name: `Open ${bob.username}` }).click()
  await expect(page.getByRole('dialog').getByText(/hosted project at .* manages the roles/)).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Deactivate' })).toBeHidden()
  await page.getByRole('dialog').getByText('Close', { exact: true }).click()
  await expect(page.getByRole('button', { name: 'Add person' })).toBeHidden()

  await openProfile(page, 'Admin')
  await expect(page.getByText('Debug Information')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reset User Password' })).toBeHidden()
})
