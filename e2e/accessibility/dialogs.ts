import { expect, type Page } from '@playwright/test'
import { openProfile } from '../support/sign-in.ts'
import { PART } from '../support/model-files.ts'
import { press, shows, showsAlert, showsWords, type Screen } from './screen.ts'

/** Two devices: that of this session, with quiet hours, and another one with a failed delivery. */
const DEVICES = ['Chrome on Windows', 'Chrome on Android'].map((device, index) => ({
  id: `01890000-0000-7000-8000-00000000000${index}`,
  device,
  is_current: index === 0,
  last_used_at: '2026-11-20T10:00:00.000Z',
  quiet_hours: index === 0 ? null : { from: '22:00', until: '06:00', time_zone: 'Europe/Berlin' },
  last_delivery: null,
  failed: index,
  revision: 1,
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
}))

const openProfileTab = (name: string) => (page: Page) => openProfile(page, name)

const openPalette = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: 'Go to Inventory' })).toBeVisible()
}

const openScan = async (page: Page) => {
  await page.getByRole('button', { name: 'Scan', exact: true }).filter({ visible: true }).click()
  await expect(page.getByRole('dialog', { name: 'Scan' })).toBeVisible()
}

const openScanned = (code: string) => async (page: Page) => {
  await openScan(page)
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.keyboard.press('Enter')
  await shows((there) => there.getByRole('region', { name: 'Found' }).getByRole('heading'))(page)
}

const alertOf = (number: number, kind: string, title: string, facts: object) => ({
  id: `01890000-0000-7000-8000-00000000000${number}`,
  kind,
  title,
  facts,
  entity_id: kind === 'low_filament' ? null : '01890000-0000-7000-8000-000000000009',
  created_at: '2026-01-05T10:00:00.000Z',
  read_at: number > 2 ? '2026-01-05T11:00:00.000Z' : null,
})

const ALERTS_OF_EACH_KIND = [
  alertOf(1, 'low_stock', 'حامل كاميرا', { sku: 'CUBE-1', quantity: 5, reorder_point: 5 }),
  alertOf(2, 'low_filament', 'PETG Signal Orange', {
    material: 'PETG',
    color: 'Signal Orange',
    remaining_grams: 84,
    low_stock_grams: 250,
  }),
  alertOf(3, 'job_failed', 'Wall hook', { label_code: 'J-00001', quantity: 12, reason: 'Layer shift' }),
  alertOf(4, 'publication_failed', 'Dragon', { reason: 'The shop is closed' }),
]

export const DIALOG_SCREENS: readonly Screen[] = [
  { name: 'Profile', as: 'staff', address: '/', open: openProfileTab('Profile') },
  { name: 'Profile, Password', as: 'staff', address: '/', open: openProfileTab('Password') },
  { name: 'Profile, Security', as: 'viewer', address: '/', open: openProfileTab('Security') },
  { name: 'Profile, Notifications', as: 'viewer', address: '/', open: openProfileTab('Notifications') },
  {
    name: 'Profile, Notifications, with devices',
    as: 'staff',
    address: '/',
    prepare: (page) =>
      page.route('**/api/push/devices?*', (route) =>
        route.fulfill({ headers: { 'x-total-count': '2' }, json: DEVICES }),
      ),
    open: async (page) => {
      await openProfileTab('Notifications')(page)
      await shows((there) => there.getByText('Chrome on Android'))(page)
    },
  },
  { name: 'Profile, Admin', as: 'admin', address: '/', open: openProfileTab('Admin') },
  {
    name: 'Profile, Password, not the same twice',
    as: 'staff',
    address: '/',
    open: async (page) => {
      await openProfileTab('Password')(page)
      await page.getByLabel('New Password', { exact: true }).fill('one thing')
      await page.getByLabel('Confirm New Password', { exact: true }).fill('another')
      await showsWords('Passwords do not match')(page)
    },
  },
  {
    name: 'Set up two-factor authentication',
    as: 'viewer',
    address: '/',
    open: async (page) => {
      await openProfileTab('Security')(page)
      await press(page, 'Set up two-factor authentication')
      await shows((there) => there.getByRole('img', { name: /^QR code/ }))(page)
    },
  },
  {
    name: 'Reset User Password, nobody chosen',
    as: 'admin',
    address: '/',
    open: async (page) => {
      await openProfileTab('Admin')(page)
      await press(page, 'Reset User Password')
      await press(page, 'Reset Password')
      await showsAlert('Reset Error: Please select a user')(page)
    },
  },
  {
    name: "Confirm it's you",
    as: 'staff',
    address: '/',
    prepare: (page) =>
      page.route('**/api/auth/profile', (route) =>
        route.fulfill({ status: 403, json: { detail: 'Confirm.', code: 'reauthentication_required' } }),
      ),
    open: async (page) => {
      await openProfileTab('Profile')(page)
      await press(page, 'Update Profile')
      await press(page, 'Confirm')
      await showsAlert('Password is required')(page)
    },
  },
  { name: 'Command palette', as: 'owner', address: '/', open: openPalette },
  {
    name: 'Command palette, a model found',
    as: 'owner',
    address: '/',
    open: async (page) => {
      await openPalette(page)
      await page.keyboard.type(PART.title)
      await shows((there) => there.getByRole('group', { name: 'Models' }).getByRole('option'))(page)
    },
  },
  {
    name: 'Command palette, nothing found',
    as: 'owner',
    address: '/',
    open: async (page) => {
      await openPalette(page)
      await page.keyboard.type('no such thing')
      await showsWords(/^Nothing matches/)(page)
    },
  },
  { name: 'Scan', as: 'viewer', address: '/?tab=inventory', open: openScan },
  {
    name: 'Scan, an unknown code',
    as: 'viewer',
    address: '/?tab=inventory',
    open: async (page) => {
      await openScan(page)
      const code = page.getByLabel('Code', { exact: true })
      await code.fill('no such code')
      await page.keyboard.press('Enter')
      await expect(code).toHaveAttribute('aria-invalid', 'true')
    },
  },
  ...['I-00001', 'S-0001', 'J-00001', 'L-0001'].map(
    (code): Screen => ({
      name: `Scan, ${code} found`,
      as: 'staff',
      address: '/?tab=inventory',
      open: openScanned(code),
    }),
  ),
  {
    name: 'Alerts',
    as: 'staff',
    address: '/',
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Alerts/ })
        .filter({ visible: true })
        .click()
      await press(page, 'Alert settings')
      await shows((there) => there.getByRole('switch', { name: 'Low stock: By email' }))(page)
    },
  },
  {
    name: 'Alerts, one of each kind',
    as: 'staff',
    address: '/',
    prepare: (page) =>
      page.route('**/api/alerts?*', (route) =>
        route.fulfill({ headers: { 'x-total-count': '4' }, json: ALERTS_OF_EACH_KIND }),
      ),
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Alerts/ })
        .filter({ visible: true })
        .click()
      await shows((there) => there.getByRole('link', { name: /Publication failed: Dragon/ }))(page)
    },
  },
  {
    name: 'Print labels',
    as: 'staff',
    address: '/?tab=inventory',
    open: async (page) => {
      await openScanned('I-00001')(page)
      await press(page, 'Label')
      await page.getByLabel('Paper').selectOption('avery-5160')
      await shows((there) => there.getByRole('img', { name: 'Label I-00001' }))(page)
    },
  },
  {
    name: 'Account menu',
    as: 'staff',
    only: 'phone',
    address: '/',
    open: async (page) => {
      await press(page, 'Account')
      await shows((there) => there.getByRole('menuitem', { name: 'Sign out' }))(page)
    },
  },
  {
    name: 'More sections',
    as: 'staff',
    only: 'phone',
    address: '/',
    open: async (page) => {
      await press(page, 'More')
      await shows((there) => there.getByRole('menuitem', { name: 'STL Library' }))(page)
    },
  },
]
