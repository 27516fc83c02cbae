import type { TabId } from '../tabs.ts'

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
    intro: 'Today’s tasks, and the state of the shop.',
    tasks: [
      {
        task: 'See what to do next',
        how: 'Work through “Needs you today” from the top. Each row has its action.',
      },
      { task: 'Open the rows behind a figure', how: 'Press the figure.' },
      { task: 'Arrange the cards', how: 'Press Arrange at the bottom, then move or hide a card.' },
    ],
  },
  'stl-library': {
    intro: 'Every printable model, with its picture, measurements, license and versions.',
    tasks: [
      {
        task: 'Add models',
        how: 'Drop STL, 3MF, OBJ or ZIP files anywhere on the page, or press Upload STL.',
      },
      {
        task: 'Find a model',
        how: 'Type any words of its title, description, tags or file name. Typos are fine.',
      },
      { task: 'Print a model', how: 'Open it and press Print. It joins the queue with its estimate.' },
      {
        task: 'Sell a model',
        how: 'Open it, then choose Make a product in the menu. The license is checked first.',
      },
    ],
  },
  inventory: {
    intro: 'Finished parts: their quantity, their location, and when to print more.',
    tasks: [
      {
        task: 'Change a quantity',
        how: 'Press − or + in the row, or scan the label. Each change can be undone.',
      },
      { task: 'Count a shelf', how: 'Scan an item, press Count and type the number of pieces.' },
      { task: 'Restock a low item', how: 'Filter by Low Stock Only, open the item and press Print.' },
      {
        task: 'Print labels',
        how: 'Select items, then press Print labels. Due labels are in the button at the top.',
      },
      { task: 'Import or export', how: 'Open Inventory tools. An import first shows what it would change.' },
    ],
  },
  orders: {
    intro: 'Orders from the shop, with the stock and the prints that each of them still needs.',
    tasks: [
      { task: 'Ship an order', how: 'Open it, press Pick and scan the pieces, then press Ship.' },
      {
        task: 'Print missing pieces',
        how: 'Open the order. Its plan queues every missing piece with one press.',
      },
      {
        task: 'Match an unknown SKU',
        how: 'Open the SKU inbox and choose the item that the SKU stands for.',
      },
      { task: 'Enter an order by hand', how: 'Press New order.' },
    ],
  },
  'print-queue': {
    intro: 'The jobs that are printing, the jobs that wait, and the reasons why they wait.',
    tasks: [
      { task: 'Queue a print', how: 'Press Add Job, or Print on an item, a model or an order.' },
      {
        task: 'Start and finish a print',
        how: 'Press Start in the row. When it is done, enter the good pieces.',
      },
      { task: 'Change the order', how: 'Drag a row by its handle, or focus the handle and press ↑ or ↓.' },
      {
        task: 'See which printer is free',
        how: 'Open Printers. Each card shows its job, its filament and its state.',
      },
    ],
  },
  filament: {
    intro: 'Every spool, with its remaining filament and the demand of the queue.',
    tasks: [
      { task: 'Add spools', how: 'Press Add Filament and choose a known filament, or fill in a new one.' },
      { task: 'Weigh a spool', how: 'Put it on the scale, press Weigh and type the weight.' },
      { task: 'See which filament runs out', how: 'Open By color: short colors come first.' },
      { task: 'Print a spool label', how: 'Open the menu of the spool and choose Print label.' },
    ],
  },
  products: {
    intro: 'The products of the shop, and whether the shop shows the saved values.',
    tasks: [
      {
        task: 'Publish a product',
        how: 'Press New product and follow the four steps. Drafts are saved as you type.',
      },
      {
        task: 'Change a product',
        how: 'Open it and press Edit. Publish again to send the change to the shop.',
      },
      {
        task: 'Resolve a difference',
        how: 'Open the product. Keep our value, or accept the value of the shop.',
      },
    ],
  },
  'api-keys': {
    intro: 'API keys for the shop and the printers.',
    tasks: [
      {
        task: 'Connect the shop',
        how: 'Create a key with the scope integration, and copy it while it is shown.',
      },
      { task: 'Connect a printer agent', how: 'Create a key with the scope print-jobs.' },
      { task: 'Replace a key', how: 'Rotate it. The old key stops working at once.' },
    ],
  },
  people: {
    intro: 'The people who may sign in, and their roles.',
    tasks: [
      { task: 'Add a person', how: 'Press Add person. An invitation lets the person choose a password.' },
      { task: 'Approve a sign-up', how: 'Open the account and press Approve.' },
      { task: 'Reset a password', how: 'Open your profile, then Admin.' },
    ],
  },
  audit: {
    intro: 'A log of all changes: who made them, when, and from where. Entries never change.',
    tasks: [
      { task: 'See the history of one object', how: 'Open an entry and press “All about …”.' },
      { task: 'Save a copy', how: 'Press Export. The export itself is recorded too.' },
    ],
  },
  system: {
    intro: 'The state of the server, its backups and its settings.',
    tasks: [
      { task: 'Make a backup', how: 'Press Back up now, or set a schedule.' },
      { task: 'Find a problem', how: 'Look for a check that is not green. It says what to do.' },
    ],
  },
}
