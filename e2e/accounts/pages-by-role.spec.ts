import { ROLES } from '@pegasus/contracts/roles'
import { expect } from '../support/fixtures.ts'
import { PAGES } from '../support/pages.ts'
import { test } from '../support/staffed-shop.ts'
import { walkAsRole } from '../support/walk-as-role.ts'

// Some of the opened addresses lead to missing objects, and the browser logs each as an error.
test.use({ allowedProblem: /status of 404/ })

// The test T14 in `roles.spec.ts` covers the owner and the viewer.
for (const role of ROLES.filter((each) => each !== 'viewer' && each !== 'owner'))
  test(`${role}: every address shows its page, or a message that the role may not open the page`, async ({
    filledShop,
    openAs,
  }) => {
    test.setTimeout(180_000)
    await walkAsRole(await openAs(filledShop, role), role)
  })

test('without a session, every address shows the sign-in page, and its URL contains the requested address', async ({
  newShop,
  openAs,
}) => {
  test.setTimeout(180_000)
  const page = await openAs(newShop, null)
  for (const address of ['/admin', ...PAGES.map((room) => room.address)]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Ops Login' }), address).toBeVisible()
    const { pathname, searchParams } = new URL(page.url())
    expect([pathname, searchParams.get('next') ?? '/']).toEqual(['/login', address])
  }
  await page.goto('/legacy-login')
  await expect(page.getByText('Need Access?')).toBeVisible()
})
