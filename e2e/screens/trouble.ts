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

export const TROUBLE_SCREENS: readonly Screen[] = [
  {
    name: 'Loading Pegasus Ops...',
    as: 'owner',
    address: '/',
    prepare: neverAnswering('**/api/auth/me'),
    open: showsWords('Loading Pegasus Ops...'),
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
  {
    name: 'A room that could not be fetched',
    as: 'owner',
    address: '/?tab=filament',
    prepare: cutOff('**/assets/filament-room-*.js'),
    open: showsHeading('The server cannot be reached'),
  },
]
