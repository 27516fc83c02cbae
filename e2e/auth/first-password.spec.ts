import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { startProduct } from '../support/harness.ts'

// The browser logs the response to the wrong current password as an error.
test.use({ allowedProblem: /status of 40[01]/ })

const CHOSEN = 'a lantern in the harbour'

test('after signing in with the printed password, the owner must choose another password before continuing', async ({
  page,
}) => {
  const product = await startProduct({ OWNER_PASSWORD: '' })
  try {
    await expect.poll(() => product.readOutput()).toMatch(/Password {2}\S+ {3}\(shown this once/)
    const printed = /Password {2}(\S+)/.exec(product.readOutput())?.[1] ?? ''
    await page.goto(`${product.url}/legacy-login`)
    await page.getByLabel('Username').fill('owner')
    await page.getByRole('textbox', { name: 'Password' }).fill(printed)
    await page.getByRole('button', { name: 'Sign In' }).click()

    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await expectAccessible(page)
    const current = dialog.getByLabel('Current password', { exact: false }).first()
    const next = dialog.getByLabel('New password', { exact: false }).first()
    const confirmation = dialog.getByLabel('Confirm', { exact: false }).first()
    const submit = dialog.getByRole('button', { name: /change password/i })

    await current.fill('not the printed one')
    await next.fill(CHOSEN)
    await confirmation.fill('something else')
    await expect(dialog.getByText('Passwords do not match')).toBeVisible()
    await expect(submit).toBeDisabled()
    await confirmation.fill(CHOSEN)
    await submit.click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'Password Change Error: Current password is incorrect. Please check your current password and try again.',
    )
    await expect(next).toHaveValue(CHOSEN)
    await current.fill(printed)
    await submit.click()
    await expect(page).toHaveURL(/\/login/)

    await page.getByLabel('Email').fill('owner@pegasus.local')
    await page.getByRole('textbox', { name: 'Password' }).fill(CHOSEN)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
  } finally {
    // Leave the page. If it stayed open, it would send requests while the server stops.
    await page.goto('about:blank')
    await product.stop()
  }
})
