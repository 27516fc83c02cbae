import {
  button,
  cutOff,
  failing,
  neverAnswering,
  shows,
  showsHeading,
  showsWords,
  type Screen,
} from './screen.ts'

const ROOM_SCRIPT = '**/assets/filament-page-*.js'

/** Returns whether a URL is that of the start page, which the app fetches to learn the current version. */
const isPageItself = ({ pathname, search }: URL): boolean => pathname === '/' && search === ''
const NEWER_PAGE = '<script type="module" src="/assets/index-newer.js"></script>'

export const TROUBLE_SCREENS: readonly Screen[] = [
  {
    name: 'Loading Pegasus Ops...',
    as: 'owner',
    address: '/',
    prepare: neverAnswering('**/api/auth/me'),
    open: showsWords('Loading Pegasus Ops...'),
  },
  {
    name: 'Dashboard, role unknown',
    as: 'owner',
    address: '/',
    prepare: (page) => page.route('**/api/auth/me', (route) => route.fulfill({ json: {} })),
    open: showsWords('Your role could not be looked up. For now, you can only view.'),
  },
  {
    name: 'Dashboard, loading',
    as: 'owner',
    address: '/',
    prepare: neverAnswering('**/api/{stats,orders,print-queue}*'),
    open: shows((page) => page.locator('[aria-busy]')),
  },
  {
    name: 'STL Library, loading',
    as: 'owner',
    address: '/?tab=stl-library',
    prepare: neverAnswering('**/api/stl-files*'),
    open: showsWords('Loading the STL library'),
  },
  {
    name: 'Inventory, loading',
    as: 'owner',
    address: '/?tab=inventory',
    prepare: neverAnswering('**/api/inventory*'),
    open: showsWords('Loading the inventory'),
  },
  {
    name: 'Inventory, in error',
    as: 'owner',
    address: '/?tab=inventory',
    prepare: failing('**/api/inventory*'),
    open: showsWords('The inventory could not be loaded.'),
  },
  {
    name: 'Model, in error',
    as: 'owner',
    address: ({ model }) => `/?tab=stl-library&model=${model.id}`,
    prepare: failing('**/api/stl-files/*'),
    open: shows((page) => button(page, 'Retry')),
  },
  ...(
    [
      ['API Keys', 'api-keys?limit', 'Loading the API keys', 'The API keys could not be loaded.'],
      ['People', 'auth/users?', 'Loading the people', 'The list of people could not be loaded.'],
      ['Audit', 'audit?', 'Loading the audit log', 'The audit could not be loaded.'],
    ] as const
  ).flatMap(([room, call, loading, failed]): Screen[] => {
    const address = `/?tab=${room.toLowerCase().replace(' ', '-')}`
    const calls = `**/api/${call}*`
    return [
      {
        name: `${room}, loading`,
        as: 'owner',
        address,
        prepare: neverAnswering(calls),
        open: showsWords(loading),
      },
      { name: `${room}, in error`, as: 'owner', address, prepare: failing(calls), open: showsWords(failed) },
    ]
  }),
  {
    name: 'API Key Details, in error',
    as: 'owner',
    address: ({ apiKeyId }) => `/?tab=api-keys&key=${apiKeyId}`,
    prepare: failing('**/api/api-keys/*/usage'),
    open: showsWords('The details could not be loaded.'),
  },
  {
    name: 'A room that could not be fetched',
    as: 'owner',
    address: '/?tab=filament',
    prepare: cutOff(ROOM_SCRIPT),
    open: showsHeading('This part could not be loaded'),
  },
  {
    name: 'A room that could not be fetched, nor anything else',
    as: 'owner',
    address: '/?tab=filament',
    prepare: async (page) => {
      await cutOff(ROOM_SCRIPT)(page)
      await page.route(isPageItself, (route) => route.abort())
    },
    open: showsHeading('The server cannot be reached'),
  },
  {
    name: 'A room of an older version',
    as: 'owner',
    address: '/?tab=filament',
    prepare: async (page) => {
      await cutOff(ROOM_SCRIPT)(page)
      await page.route(isPageItself, (route) => route.fulfill({ body: NEWER_PAGE }))
    },
    open: showsHeading('A new version is available'),
  },
]
