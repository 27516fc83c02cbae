import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CardState } from '@/components/card-state.tsx'
import { PriorityBadge, StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatTotal } from '@/lib/format/format.ts'
import { jobsOfItemQuery } from '../inventory.queries.ts'
import type { InventoryAddresses } from '../inventory-address.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** The open print jobs for an item, in the order of the queue. */
export function UsesCard({ item, addresses }: { item: InventoryItem; addresses: InventoryAddresses }) {
  const jobs = useQuery(jobsOfItemQuery(item.id))
  const { items = [], total = 0, isTotalCapped = false } = jobs.data ?? {}
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const isAll = total === items.length
  const amount = isAll
    ? t('{pieces, plural, one {# piece} other {# pieces}}', { pieces })
    : t('{total} jobs', { total: formatTotal({ total, isTotalCapped }) })
  return (
    <Card title={t('In the print queue')} aside={total > 0 ? amount : null}>
      <CardState
        error={t('The print queue could not be loaded.')}
        loading={t('The print queue: loading')}
        query={jobs}
      />
      {jobs.data && items.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">{t('No prints queued for this item.')}</p>
      ) : null}
      <ul className="max-h-96 divide-y divide-line overflow-y-auto">
        {items.map((job) => (
          <li key={job.id} className="relative flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-hover">
            <div className="min-w-0 flex-1">
              <Link to={addresses.job(job.id)} className="font-medium after:absolute after:inset-0">
                {t('{quantity, plural, one {# piece} other {# pieces}}', { quantity: job.quantity })}
              </Link>
              <p className="truncate text-caption text-ink-3">
                <span className="code">{job.label_code}</span>
                {job.order_number ? (
                  <> · {rich('for {order}', { order: <bdi>{job.order_number}</bdi> })}</>
                ) : null}
                {job.good_quantity > 0 ? (
                  <> · {t('{good_quantity} good', { good_quantity: formatCount(job.good_quantity) })}</>
                ) : null}
              </p>
            </div>
            <PriorityBadge priority={job.priority} />
            <StatusBadge status={job.status} />
          </li>
        ))}
      </ul>
      {isAll ? null : (
        <p className="border-t border-line px-4 py-2.5 text-caption text-ink-3">
          {t('The next {items} are shown.', { items: formatCount(items.length) })}
        </p>
      )}
    </Card>
  )
}
