import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { gramsText, minutesText, yieldText } from './production-texts.ts'
import { type ProductionChoice, productionQuery } from './production.query.ts'

/** What the prints of an item or an order were expected to take, and what they took. Renders nothing before the first plate. */
export function ProductionCard({ of }: { of: ProductionChoice }) {
  const canSee = hasRole(useCurrentUser().role, 'staff')
  const { data } = useQuery({ ...productionQuery({ by: 'item', ...of }), enabled: canSee })
  const [row] = data ?? []
  if (!canSee || !row) return null
  return (
    <Card title="Planned and actual" aside={formatNumberOf(plates(data ?? []), 'plate')}>
      {data?.map((each) => (
        <DetailList key={each.key}>
          {data.length > 1 ? <Detail name="Item">{each.label}</Detail> : null}
          <Detail name="Good pieces">
            {`${formatCount(each.good)} of ${formatCount(each.good + each.bad)}, ${yieldText(each) ?? ''}`}
          </Detail>
          <Detail name="Filament">{gramsText(each)}</Detail>
          <Detail name="Print time">{minutesText(each)}</Detail>
        </DetailList>
      ))}
    </Card>
  )
}

const plates = (rows: readonly ProductionRow[]): number => rows.reduce((sum, row) => sum + row.plates, 0)
