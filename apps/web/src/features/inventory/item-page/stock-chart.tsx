import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { onDemand } from '@/lib/browser/loadable.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { useRecentEntries } from '@/components/level-chart/use-recent-entries.ts'
import { movementsQuery } from '../inventory.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const LevelChart = onDemand(async () => (await import('@/components/level-chart/level-chart.tsx')).LevelChart)

/** Charts the stock at the end of each of the last thirty days, and the pieces that were shipped. */
export function StockChart({ item }: { item: InventoryItem }) {
  const movements = useRecentEntries(movementsQuery(item.id), ({ created_at: at }) => at)
  if (movements === null || movements.length === 0) return null
  return (
    <LevelChart
      title={t('Stock and sales')}
      level={t('In stock')}
      entries={movements.map(({ created_at: at, quantity_after: after, delta }) => ({ at, after, delta }))}
      bars={{
        name: t('Shipped'),
        amounts: movements
          .filter(({ kind }) => kind === 'ship')
          .map(({ created_at: at, delta }) => ({ at, amount: -delta })),
      }}
      format={formatCount}
      isWhole
      emptyText={t('No pieces were in stock on any of these days.')}
    />
  )
}
