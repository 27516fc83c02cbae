import { press, shows, showsHeading, showsWords, type Screen } from './screen.ts'

const showsDialog = (name: string | RegExp) => shows((page) => page.getByRole('dialog', { name }))

/** What administrators and owners have to themselves. */
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
    address: '/?tab=api-keys&search=no+such+key',
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
    name: 'API Key Details',
    as: 'admin',
    address: ({ apiKeyId }) => `/?tab=api-keys&key=${apiKeyId}`,
    open: async (page) => {
      await showsDialog('API Key Details')(page)
      await showsWords('Printer agents of the back room')(page)
    },
  },
  { name: 'People', as: 'owner', address: '/?tab=people', open: showsWords('viewer@example.com') },
  {
    name: 'People, nobody found',
    as: 'admin',
    address: '/?tab=people&search=nobody+of+that+name',
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
    name: 'Person',
    as: 'admin',
    address: ({ staff }) => `/?tab=people&person=${staff.viewer.id}`,
    open: shows((page) => page.getByRole('dialog').getByText('viewer@example.com')),
  },
  {
    name: 'Mails to pass on',
    as: 'admin',
    address: '/?tab=people&view=mails',
    open: showsHeading('No mails to pass on'),
  },
  {
    name: 'Audit',
    as: 'owner',
    address: '/?tab=audit',
    open: shows((page) => page.getByRole('list', { name: 'Audit entries' }).getByRole('listitem')),
  },
  {
    name: 'Audit, nothing found',
    as: 'admin',
    address: '/?tab=audit&search=no+such+thing',
    open: showsHeading('No entries found'),
  },
]
