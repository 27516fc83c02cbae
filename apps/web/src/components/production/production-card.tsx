import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { CostComparison } from './cost-comparison.tsx'
import { gramsText, minutesText, yieldText } from './production-texts.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ProductionCardProps {
  rows: readonly ProductionRow[]
  /** The sum of the rows, shown below them. */
  sum?: ProductionRow | undefined
}

/** Compares the planned and the actual cost, filament and time of prints. Renders nothing before the first plate. */
export function ProductionCard({ rows, sum }: ProductionCardProps) {
  if (rows.length === 0) return null
  return (
    <Card
      title={t('Planned and actual')}
      aside={t('{plates, plural, one {# plate} other {# plates}}', { plates: plates(rows) })}
    >
      {rows.map((row) => (
        <Figures key={row.key} row={row} item={rows.length > 1 ? row.label : null} />
      ))}
      {sum ? (
        <div className="border-t border-line">
          <Figures row={sum} item={t('All items')} />
        </div>
      ) : null}
    </Card>
  )
}

const Figures = ({ row, item }: { row: ProductionRow; item: string | null }) => (
  <DetailList>
    {item === null ? null : <Detail name={t('Item')}>{item}</Detail>}
    <Detail name={t('Good pieces')}>
      {t('{good} of {good2}, {yieldText}', {
        good: formatCount(row.good),
        good2: formatCount(row.good + row.bad),
        yieldText: yieldText(row) ?? '',
      })}
    </Detail>
    <Detail name={t('Cost')}>
      {row.cost === null && row.unknown_cost_jobs === 0 ? null : <CostComparison figures={row} />}
    </Detail>
    {/* Wrapped in elements, because a plain text would take its direction from its first letter, which here belongs
        to a unit. */}
    <Detail name={t('Filament')}>{inOrder(gramsText(row))}</Detail>
    <Detail name={t('Print time')}>{inOrder(minutesText(row))}</Detail>
  </DetailList>
)

const inOrder = (text: string | null) => text && <span>{text}</span>

const plates = (rows: readonly ProductionRow[]): number => rows.reduce((sum, row) => sum + row.plates, 0)
