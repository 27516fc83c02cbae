import { failing, shows, showsHeading, showsWords, type Screen } from './screen.ts'

const aProposal = (n: number, name: string) => ({
  id: `01890000-0000-7000-8000-00000000000${n}`,
  inventory_item_id: `01890000-0000-7000-8000-00000000001${n}`,
  name,
  sku: 'DRG-1',
  on_shelf: 3,
  queued: 0,
  missing: 7,
  pieces_per_plate: 4,
  plates: 2,
  surplus: 1,
  sentence: '10 wanted − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock',
  reorder_point: 5,
  target: 10,
  proposed_at: '2026-01-05T02:00:00Z',
  color_hex: '#E8641B',
  stl_thumbnail_path: null,
})

const PROPOSED = {
  schedule: { hour: 2, time_zone: 'Europe/Berlin' },
  last_night_at: '2026-01-05T02:00:00Z',
  proposals: [aProposal(1, 'Dragon'), aProposal(2, 'حامل كاميرا')],
}

const PRODUCTION = ['Dragon', 'حامل كاميرا'].map((label, index) => ({
  key: String(index),
  label,
  plates: 3,
  good: 9,
  bad: index,
  yield: index === 0 ? 1 : 0.9,
  planned_grams: index === 0 ? 80 : null,
  used_grams: index === 0 ? 85 : null,
  planned_minutes: 100,
  print_minutes: 110,
  jobs: 2,
  cost: 12.4,
  compared_jobs: 2 - index,
  planned_cost: 11,
  compared_cost: index === 0 ? 12.4 : 6.1,
  failed_jobs: index,
  failure_cost: index === 0 ? null : 1.2,
  unknown_cost_jobs: index,
  cost_is_measured: index === 0,
}))

/** The screens of the stock proposals, and of planned and actual print times and filament. */
export const PRODUCTION_SCREENS: readonly Screen[] = [
  {
    name: 'Replenishment',
    as: 'admin',
    address: '/?tab=print-queue&view=replenishment',
    prepare: (page) =>
      page.route('**/api/inventory/replenishment/proposals', (route) => route.fulfill({ json: PROPOSED })),
    open: shows((page) => page.getByRole('button', { name: 'Accept all 2' })),
  },
  {
    name: 'Replenishment, a wrong number',
    as: 'staff',
    address: '/?tab=print-queue&view=replenishment',
    prepare: (page) =>
      page.route('**/api/inventory/replenishment/proposals', (route) => route.fulfill({ json: PROPOSED })),
    open: async (page) => {
      await page.getByLabel('Pieces of Dragon').fill('none')
      await showsWords(/^Each night after/)(page)
    },
  },
  {
    name: 'Replenishment, nothing proposed',
    as: 'staff',
    address: '/?tab=print-queue&view=replenishment',
    prepare: (page) =>
      page.route('**/api/inventory/replenishment/proposals', (route) =>
        route.fulfill({ json: { ...PROPOSED, proposals: [] } }),
      ),
    open: showsHeading('Nothing is proposed'),
  },
  {
    name: 'Replenishment, in error',
    as: 'staff',
    address: '/?tab=print-queue&view=replenishment',
    prepare: failing('**/api/inventory/replenishment/proposals'),
    open: showsWords('The proposals could not be loaded.'),
  },
  {
    name: 'Planned and actual',
    as: 'staff',
    address: '/?tab=print-queue&view=production',
    prepare: (page) =>
      page.route('**/api/reports/production?*', (route) => route.fulfill({ json: PRODUCTION })),
    // The space before the unit is a non-breaking space.
    open: showsWords(/^85\sg/),
  },
  {
    name: 'Planned and actual, nothing printed',
    as: 'staff',
    address: '/?tab=print-queue&view=production',
    prepare: (page) => page.route('**/api/reports/production?*', (route) => route.fulfill({ json: [] })),
    open: showsHeading('Nothing was printed yet'),
  },
]
