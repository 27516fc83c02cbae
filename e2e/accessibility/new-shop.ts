import { showsHeading, showsWords, type Screen } from './screen.ts'

export const NEW_SHOP_SCREENS: readonly Screen[] = [
  { name: 'First run', as: 'owner', address: '/', open: showsHeading('Set up your shop') },
  { name: 'First run, read-only', as: 'viewer', address: '/', open: showsHeading('Nothing here yet') },
  {
    name: 'STL Library, empty',
    as: 'owner',
    address: '/?tab=stl-library',
    open: showsHeading('No STL files found'),
  },
  {
    name: 'STL Library, empty and read-only',
    as: 'viewer',
    address: '/?tab=stl-library',
    open: showsHeading('No STL files found'),
  },
  {
    name: 'Inventory, empty',
    as: 'owner',
    address: '/?tab=inventory',
    open: showsHeading('No inventory items found'),
  },
  {
    name: 'API Keys, none yet',
    as: 'admin',
    address: '/?tab=api-keys',
    open: showsHeading('No API keys found'),
  },
  {
    name: 'Emails, none to deliver',
    as: 'admin',
    address: '/?tab=people&view=mails',
    open: showsHeading('No emails to deliver'),
  },
  { name: 'First run of an employee', as: 'employee', address: '/', open: showsHeading('Set up your shop') },
  { name: 'Orders, empty', as: 'owner', address: '/?tab=orders', open: showsWords('MAIN_SITE_URL') },
  {
    name: 'Print Queue, empty',
    as: 'owner',
    address: '/?tab=print-queue',
    open: showsHeading('The print queue is empty'),
  },
  {
    name: 'Filament, empty',
    as: 'owner',
    address: '/?tab=filament',
    open: showsHeading('No filament found'),
  },
  {
    name: 'New product, nothing to begin with',
    as: 'owner',
    address: '/wizard',
    open: showsHeading('New Product'),
  },
]
