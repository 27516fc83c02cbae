import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { ProductionCard } from './production-card.tsx'

const aRow = (label: string, planned: number, actual: number): ProductionRow => ({
  key: label,
  label,
  plates: 1,
  good: 4,
  bad: 0,
  yield: 1,
  planned_grams: null,
  used_grams: null,
  planned_minutes: null,
  print_minutes: null,
  jobs: 1,
  cost: actual,
  compared_jobs: 1,
  planned_cost: planned,
  compared_cost: actual,
  failed_jobs: 0,
  failure_cost: null,
  unknown_cost_jobs: 0,
  cost_is_measured: true,
})

it('the production of several items ends with the planned and the actual cost of all of them', async () => {
  const rows = [aRow('Dragon', 4, 5), aRow('Egg', 2, 2)]
  const { container } = await render(<ProductionCard rows={rows} sum={aRow('PO-1', 6, 7)} />)
  const valuesOf = (name: string) =>
    [...container.querySelectorAll('dt')]
      .filter(({ textContent }) => textContent === name)
      .map(({ nextElementSibling: value }) => value?.textContent)
  expect(valuesOf('Item')).toEqual(['Dragon', 'Egg', 'All items'])
  expect(valuesOf('Cost')).toEqual([
    '$5.00, planned $4.00$1.00 over plan (+25 %)',
    '$2.00, planned $2.00as planned',
    '$7.00, planned $6.00$1.00 over plan (+17 %)',
  ])
})
