import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'
import { CostComparison } from './cost-comparison.tsx'
import { gramsText, minutesText, yieldText } from './production-texts.ts'

/** Compares the planned and the actual cost, filament and time of prints. Renders nothing before the first plate. */
export function ProductionCard({ rows }: { rows: readonly ProductionRow[] }) {
  if (rows.length === 0) return null
  return (
    <Card title="Planned and actual" aside={formatNumberOf(plates(rows), 'plate')}>
      {rows.map((each) => (
        <DetailList key={each.key}>
          {rows.length > 1 ? <Detail name="Item">{each.label}</Detail> : null}
          <Detail name="Good pieces">
            {`${formatCount(each.good)} of ${formatCount(each.good + each.bad)}, ${yieldText(each) ?? ''}`}
          </Detail>
          <Detail name="Cost">{each.cost === null ? null : <CostComparison figures={each} />}</Detail>
          <Detail name="Filament">{gramsText(each)}</Detail>
          <Detail name="Print time">{minutesText(each)}</Detail>
        </DetailList>
      ))}
    </Card>
  )
}

const plates = (rows: readonly ProductionRow[]): number => rows.reduce((sum, row) => sum + row.plates, 0)
