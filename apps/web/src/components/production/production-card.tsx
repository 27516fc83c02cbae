import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { CostComparison } from './cost-comparison.tsx'
import { gramsText, minutesText, yieldText } from './production-texts.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Compares the planned and the actual cost, filament and time of prints. Renders nothing before the first plate. */
export function ProductionCard({ rows }: { rows: readonly ProductionRow[] }) {
  if (rows.length === 0) return null
  return (
    <Card
      title={t('Planned and actual')}
      aside={t('{plates, plural, one {# plate} other {# plates}}', { plates: plates(rows) })}
    >
      {rows.map((each) => (
        <DetailList key={each.key}>
          {rows.length > 1 ? <Detail name={t('Item')}>{each.label}</Detail> : null}
          <Detail name={t('Good pieces')}>
            {t('{good} of {good2}, {yieldText}', {
              good: formatCount(each.good),
              good2: formatCount(each.good + each.bad),
              yieldText: yieldText(each) ?? '',
            })}
          </Detail>
          <Detail name={t('Cost')}>
            {each.cost === null && each.unknown_cost_jobs === 0 ? null : <CostComparison figures={each} />}
          </Detail>
          <Detail name={t('Filament')}>{gramsText(each)}</Detail>
          <Detail name={t('Print time')}>{minutesText(each)}</Detail>
        </DetailList>
      ))}
    </Card>
  )
}

const plates = (rows: readonly ProductionRow[]): number => rows.reduce((sum, row) => sum + row.plates, 0)
