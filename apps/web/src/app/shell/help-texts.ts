import type { TabId } from '../tabs.ts'
import { t } from '@/lib/i18n/messages.ts'

/** A short page of help for one tab. */
export interface HelpPage {
  /** The purpose of the tab, in one sentence. */
  intro: string
  /** The common tasks, each with its first steps. */
  tasks: readonly { task: string; how: string }[]
}

/** The help of each tab. The command palette finds a page by the words of its tasks. */
export const HELP: Readonly<Record<TabId, HelpPage>> = {
  dashboard: {
    intro: t('Today’s tasks, and the state of the shop.'),
    tasks: [
      {
        task: t('See what to do next'),
        how: t('Work through “Needs you today” from the top. Each row has its action.'),
      },
      { task: t('Open the rows behind a figure'), how: t('Press the figure.') },
      { task: t('Arrange the cards'), how: t('Press Arrange at the bottom, then move or hide a card.') },
    ],
  },
  'stl-library': {
    intro: t('Every printable model, with its picture, measurements, license and versions.'),
    tasks: [
      {
        task: t('Add models'),
        how: t('Drop STL, 3MF, OBJ or ZIP files anywhere on the page, or press Upload STL.'),
      },
      {
        task: t('Find a model'),
        how: t('Type any words of its title, description, tags or file name. Typos are fine.'),
      },
      { task: t('Print a model'), how: t('Open it and press Print. It joins the queue with its estimate.') },
      {
        task: t('Sell a model'),
        how: t('Open it, then choose Make a product in the menu. The license is checked first.'),
      },
    ],
  },
  inventory: {
    intro: t('Finished parts: their quantity, their location, and when to print more.'),
    tasks: [
      {
        task: t('Change a quantity'),
        how: t('Press − or + in the row, or scan the label. Each change can be undone.'),
      },
      { task: t('Count a shelf'), how: t('Scan an item, press Count and type the number of pieces.') },
      { task: t('Restock a low item'), how: t('Filter by Low Stock Only, open the item and press Print.') },
      {
        task: t('Print labels'),
        how: t('Select items, then press Print labels. Due labels are in the button at the top.'),
      },
      {
        task: t('Import or export'),
        how: t('Open Inventory tools. An import first shows what it would change.'),
      },
    ],
  },
  orders: {
    intro: t('Orders from the shop, with the stock and the prints that each of them still needs.'),
    tasks: [
      { task: t('Ship an order'), how: t('Open it, press Pick and scan the pieces, then press Ship.') },
      {
        task: t('Print missing pieces'),
        how: t('Open the order. Its plan queues every missing piece with one press.'),
      },
      {
        task: t('Match an unknown SKU'),
        how: t('Open the SKU inbox and choose the item that the SKU stands for.'),
      },
      { task: t('Enter an order by hand'), how: t('Press New order.') },
    ],
  },
  'print-queue': {
    intro: t('The jobs that are printing, the jobs that wait, and the reasons why they wait.'),
    tasks: [
      { task: t('Queue a print'), how: t('Press Add Job, or Print on an item, a model or an order.') },
      {
        task: t('Start and finish a print'),
        how: t('Press Start in the row. When it is done, enter the good pieces.'),
      },
      {
        task: t('Change the order'),
        how: t('Drag a row by its handle, or focus the handle and press ↑ or ↓.'),
      },
      {
        task: t('See which printer is free'),
        how: t('Open Printers. Each card shows its job, its filament and its state.'),
      },
    ],
  },
  filament: {
    intro: t('Every spool, with its remaining filament and the demand of the queue.'),
    tasks: [
      {
        task: t('Add spools'),
        how: t('Press Add Filament and choose a known filament, or fill in a new one.'),
      },
      { task: t('Weigh a spool'), how: t('Put it on the scale, press Weigh and type the weight.') },
      { task: t('See which filament runs out'), how: t('Open By color: short colors come first.') },
      { task: t('Print a spool label'), how: t('Open the menu of the spool and choose Print label.') },
    ],
  },
  products: {
    intro: t('The products of the shop, and whether the shop shows the saved values.'),
    tasks: [
      {
        task: t('Publish a product'),
        how: t('Press New product and follow the four steps. Drafts are saved as you type.'),
      },
      {
        task: t('Change a product'),
        how: t('Open it and press Edit. Publish again to send the change to the shop.'),
      },
      {
        task: t('Resolve a difference'),
        how: t('Open the product. Keep our value, or accept the value of the shop.'),
      },
    ],
  },
  'api-keys': {
    intro: t('API keys for the shop and the printers.'),
    tasks: [
      {
        task: t('Connect the shop'),
        how: t('Create a key with the scope integration, and copy it while it is shown.'),
      },
      { task: t('Connect a printer agent'), how: t('Create a key with the scope print-jobs.') },
      { task: t('Replace a key'), how: t('Rotate it. The old key stops working at once.') },
    ],
  },
  people: {
    intro: t('The people who may sign in, and their roles.'),
    tasks: [
      {
        task: t('Add a person'),
        how: t('Press Add person. An invitation lets the person choose a password.'),
      },
      { task: t('Approve a sign-up'), how: t('Open the account and press Approve.') },
      { task: t('Reset a password'), how: t('Open your profile, then Admin.') },
    ],
  },
  audit: {
    intro: t('A log of all changes: who made them, when, and from where. Entries never change.'),
    tasks: [
      { task: t('See the history of one object'), how: t('Open an entry and press “All about …”.') },
      { task: t('Save a copy'), how: t('Press Export. The export itself is recorded too.') },
    ],
  },
  system: {
    intro: t('The state of the server, its backups and its settings.'),
    tasks: [
      { task: t('Make a backup'), how: t('Press Back up now, or set a schedule.') },
      { task: t('Find a problem'), how: t('Look for a check that is not green. It says what to do.') },
    ],
  },
}
