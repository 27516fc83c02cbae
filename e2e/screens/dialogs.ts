import { expect, type Page } from '@playwright/test'
import { openProfile } from '../accounts.ts'
import { press, shows, showsAlert, showsWords, type Screen } from './screen.ts'

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

export const DIALOG_SCREENS: readonly Screen[] = [
  { name: 'Profile', as: 'staff', address: '/', open: openProfileTab('Profile') },
  { name: 'Profile, Password', as: 'staff', address: '/', open: openProfileTab('Password') },
  { name: 'Profile, Security', as: 'viewer', address: '/', open: openProfileTab('Security') },
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
      await page.keyboard.type('SO101')
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
      await page.getByLabel('Code').fill('no such code')
      await page.keyboard.press('Enter')
      await shows((there) => there.getByLabel('Code').and(there.locator('[aria-invalid=true]')))(page)
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
