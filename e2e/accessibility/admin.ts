import type { Page } from '@playwright/test'
import { NO_SUCH_ID } from '../support/pages.ts'
import { button, press, shows, showsHeading, showsWords, type Screen } from './screen.ts'

const showsDialog = (name: string | RegExp) => shows((page) => page.getByRole('dialog', { name }))

const entries = (page: Page) => page.getByRole('list', { name: 'Audit entries' }).getByRole('listitem')

/** Returns a function that makes the server's responses contain an account with these fields changed. */
const saidOfPerson = (change: Record<string, unknown>) => (page: Page) =>
  page.route(/\/api\/auth\/users\/[^/?]+$/, async (route) => {
    const person = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...person, ...change } })
  })

/** Screens for administrators and owners. */
export const ADMIN_SCREENS: readonly Screen[] = [
  {
    name: 'API Keys',
    as: 'admin',
    address: '/?tab=api-keys',
    open: showsWords('Printer agents of the back room'),
  },
  {
    name: 'API Keys, nothing found',
    as: 'admin',
    address: '/?tab=api-keys&search=no+such+key&scope=integration',
    open: showsHeading('No API keys found'),
  },
  {
    name: 'Create New API Key',
    as: 'admin',
    address: '/?tab=api-keys',
    open: async (page) => {
      await press(page, 'Create New API Key')
      await showsDialog('Create New API Key')(page)
    },
  },
  {
    name: 'Create New API Key, nothing right',
    as: 'admin',
    address: '/?tab=api-keys',
    open: async (page) => {
      await press(page, 'Create New API Key')
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
      await page.getByLabel('Expires in').fill('400')
      await page.getByLabel('Allowed addresses').fill('the workshop')
      await press(page, 'Create API Key')
      await showsWords('Please select a user.')(page)
    },
  },
  {
    name: 'API Key Details',
    as: 'admin',
    address: ({ apiKeyId }) => `/?tab=api-keys&key=${apiKeyId}`,
    open: async (page) => {
      await showsDialog('API Key Details')(page)
      await showsWords('Allowed calls')(page)
    },
  },
  {
    name: 'A key rotated, and shown',
    as: 'owner',
    address: ({ apiKeyId }) => `/?tab=api-keys&key=${apiKeyId}`,
    open: async (page) => {
      await press(page, 'Rotate')
      await press(page, 'Keep it open')
      await showsWords('This is the only time the full key is shown.')(page)
    },
  },
  {
    name: 'A key rotated, and hidden again',
    as: 'owner',
    address: ({ apiKeyId }) => `/?tab=api-keys&key=${apiKeyId}`,
    prepare: (page) => page.clock.install(),
    open: async (page) => {
      await press(page, 'Rotate')
      await showsDialog('Store the new key')(page)
      await page.clock.runFor(10_000)
      await showsWords(/The key is hidden now\./)(page)
    },
  },
  {
    name: 'Delete API key',
    as: 'admin',
    address: ({ apiKeyId }) => `/?tab=api-keys&key=${apiKeyId}`,
    open: async (page) => {
      await press(page, 'Delete')
      await shows((there) => button(there, 'Delete for good'))(page)
    },
  },
  { name: 'People', as: 'owner', address: '/?tab=people', open: showsWords('viewer@example.com') },
  {
    name: 'People, those who wait',
    as: 'admin',
    address: '/?tab=people&status=waiting',
    open: shows((page) => button(page, 'Approve Wanda Walk-In')),
  },
  {
    name: 'People, nobody found',
    as: 'admin',
    address: '/?tab=people&search=nobody+of+that+name&role=owner&status=invited',
    open: showsHeading('Nobody found'),
  },
  {
    name: 'Add person',
    as: 'admin',
    address: '/?tab=people',
    open: async (page) => {
      await press(page, 'Add person')
      await showsDialog('Add person')(page)
    },
  },
  {
    name: 'Add person, nothing right',
    as: 'owner',
    address: '/?tab=people',
    open: async (page) => {
      await press(page, 'Add person')
      await page.getByText('With a password').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add person' }).click()
      await showsWords('Email is required')(page)
    },
  },
  {
    name: 'Person',
    as: 'admin',
    address: ({ staff }) => `/?tab=people&person=${staff.staff.id}`,
    open: shows((page) => page.getByRole('dialog').getByText('staff@example.com')),
  },
  {
    name: 'Person who waits for approval',
    as: 'admin',
    address: ({ waitingId }) => `/?tab=people&person=${waitingId}`,
    open: shows((page) => button(page, 'Decline')),
  },
  {
    name: 'Person who was declined',
    as: 'owner',
    address: ({ waitingId }) => `/?tab=people&person=${waitingId}`,
    prepare: saidOfPerson({ status: 'deactivated', is_active: false, approved: false }),
    open: shows((page) => button(page, 'Reactivate')),
  },
  {
    name: 'Person whose second factor is to go',
    as: 'owner',
    address: ({ staff }) => `/?tab=people&person=${staff.admin.id}`,
    prepare: saidOfPerson({ has_second_factor: true }),
    open: async (page) => {
      await press(page, 'Remove second factor')
      await shows((there) => button(there, 'Keep it'))(page)
    },
  },
  {
    name: 'Person out of reach',
    as: 'admin',
    address: ({ staff }) => `/?tab=people&person=${staff.owner.id}`,
    open: showsWords('Only an owner can change owners and admins.'),
  },
  {
    name: 'Person not found',
    as: 'admin',
    address: `/?tab=people&person=${NO_SUCH_ID}`,
    open: showsWords('The person could not be loaded.'),
  },
  {
    name: 'Emails',
    as: 'owner',
    address: '/?tab=people&view=mails',
    open: async (page) => {
      await showsWords('Used or expired')(page)
      await page.getByText('Show the email').first().click()
    },
  },
  { name: 'Audit', as: 'owner', address: '/?tab=audit', open: shows(entries) },
  {
    name: 'Audit, an entry opened',
    as: 'admin',
    address: '/?tab=audit&action=people',
    open: async (page) => {
      // The second button of an entry shows its related changes.
      await entries(page).first().getByRole('button').first().click()
      await shows((there) => there.getByRole('columnheader', { name: 'Field' }))(page)
    },
  },
  {
    name: 'Audit, filtered',
    as: 'owner',
    address: ({ staff, apiKeyId }) => `/?tab=audit&actor=${staff.owner.id}&about=${apiKeyId}&from=2020-01-01`,
    open: shows(entries),
  },
  {
    name: 'Audit, nothing found',
    as: 'admin',
    address: '/?tab=audit&search=no+such+thing&action=refusals&to=2020-01-01',
    open: showsHeading('No entries found'),
  },
  {
    name: 'System',
    as: 'admin',
    address: '/?tab=system',
    open: showsWords('There is no backup yet.'),
  },
]
