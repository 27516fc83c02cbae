import { hasRole, type Role } from '@pegasus/contracts/roles'
import type { Page, Request } from '@playwright/test'
import { findControls, untilLoaded } from './controls.ts'
import { expect } from './fixtures.ts'
import { visit } from './in-app.ts'
import { type AppPage, PAGES } from './pages.ts'
import { openProfile } from './sign-in.ts'

/**
 * Opens every address as a role. Returns the controls of each page that viewers may open. A viewer loads the app at
 * each address. The other roles stay in the loaded app, which takes half of the time.
 */
export async function walkAsRole(page: Page, role: Role): Promise<Map<string, Set<string>>> {
  const controls = new Map<string, Set<string>>()
  const untilAnswered = watchForAnswers(page)
  if (role !== 'viewer') await page.goto('/')
  for (const room of PAGES) {
    await (role === 'viewer' ? page.goto(room.address) : visit(page, room.address))
    if (!hasRole(role, room.least)) await expectAccessDenied(page, room)
    else {
      await expectRoom(page, room)
      await untilAnswered()
      if (room.least === 'viewer') controls.set(room.address, await findControls(page.locator('body')))
    }
  }
  await page.goto('/')
  const sections = PAGES.filter(({ section, least }) => section && hasRole(role, least))
  expect(new Set(await readSections(page))).toEqual(new Set(sections.map(({ section }) => section)))
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: 'Go to Dashboard' })).toBeVisible()
  controls.set('the command palette', await findControls(page.getByRole('dialog')))
  for (const address of ['/login', '/legacy-login', '/admin']) {
    await page.goto(address)
    await expect(page, address).toHaveURL(/:\d+\/$/)
  }
  await openProfile(page)
  controls.set('the profile', await findControls(page.getByRole('dialog')))
  return controls
}

async function expectRoom(page: Page, { address, heading }: AppPage): Promise<void> {
  await expect(page.getByRole('heading', { name: heading, level: 1, exact: true }), address).toBeVisible()
  await expect(page.getByText('Access Denied')).toHaveCount(0)
  await untilLoaded(page)
}

async function expectAccessDenied(page: Page, { address, heading }: AppPage): Promise<void> {
  const main = page.getByRole('main')
  await expect(main, address).toMatchAriaSnapshot(`
    - heading "Access Denied" [level=1]
    - paragraph: You don't have permission to access this area.
    - paragraph: Contact your administrator if you believe this is an error.
  `)
  await expect(main.locator('svg.lucide-lock')).toBeVisible()
  // The page is hidden. There is only a link back.
  await expect(main.getByText(heading)).toHaveCount(0)
  expect(await findControls(main)).toEqual(new Set(['link "Back to the dashboard"']))
}

/** Returns the names of the tabs, including the tabs under More. */
async function readSections(page: Page): Promise<string[]> {
  const bar = page.getByRole('navigation', { name: 'Sections' }).filter({ visible: true })
  const more = bar.getByRole('button', { name: 'More' })
  await expect(bar).toBeVisible()
  const names = await bar.getByRole('link').allInnerTexts()
  if (await more.isVisible()) {
    await more.click()
    await expect(page.getByRole('menuitem').first()).toBeVisible()
    names.push(...(await page.getByRole('menuitem').allInnerTexts()))
    await page.keyboard.press('Escape')
  }
  return names.map((name) => name.replace(/\s*[\d,+]+$/, '').trim())
}

/**
 * Returns a function that waits until all API requests of the page have finished. Some parts of a page appear only
 * after that.
 */
function watchForAnswers(page: Page): () => Promise<void> {
  const waiting = new Set<Request>()
  const isCall = (request: Request) => /\/api\/(?!events)/.test(request.url())
  page.on('request', (request) => isCall(request) && waiting.add(request))
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  return () => expect.poll(() => [...waiting].map((request) => request.url())).toEqual([])
}
