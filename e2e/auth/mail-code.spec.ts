import { codeTo, expect, expectSignedIn, test } from '../support/sign-in.ts'

// The test provokes a refusal, and the browser logs it as an error.
test.use({ allowedProblem: /status of 403/ })

test('a person can sign in with a code that is sent by email', async ({ page, makeAccount }) => {
  const { email } = await makeAccount('Ada Lovelace')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.goto('/login')
  await press('Email me a code')
  await press('Send code')
  await expect(page.getByRole('alert')).toHaveText('You must provide either an email or phone number.')
  await page.getByLabel('Email').fill(email)
  await press('Send code')
  await expect(page.getByRole('heading', { name: 'Enter the code from the email' })).toBeVisible()

  const code = await codeTo(page, email)
  const field = page.getByLabel('Code', { exact: true })
  await field.fill(code.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10)))
  await press('Sign In')
  await expect(page.getByRole('alert')).toHaveText('Token has expired or is invalid')
  await field.fill(code)
  await press('Sign In')
  await expectSignedIn(page)
})
