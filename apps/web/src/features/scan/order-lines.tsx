import { getOrder, pieceLines } from '@pegasus/contracts/orders/orders'
import type { ScannedOf } from '@pegasus/contracts/labels/scan'
import { useQuery } from '@tanstack/react-query'
import { findPick, stillPicked } from '@/components/picking/kept-picks.ts'
import { leftOf, pickable, sumOfPicked } from '@/components/picking/picked.ts'
import { QueryError } from '@/components/query-error.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'
import { t } from '@/lib/i18n/messages.ts'

const SHOWN = 4

/** The order of a scanned label. Its card is shown when this query has ended. */
export const scannedOrderQuery = (id: string) => apiQuery(['scan', 'order', id], getOrder, { params: { id } })

/** The first lines of a scanned order: the ordered pieces, and those that are shipped, reserved and picked. */
export function OrderLines({ order: { id } }: { order: ScannedOf<'order'> }) {
  const query = useQuery(scannedOrderQuery(id))
  if (query.isPending) return <SkeletonLines label={t('Loading the order')} />
  if (query.isError) return <QueryError message={t('The lines could not be loaded.')} query={query} />
  const lines = pieceLines(query.data.items)
  const more = lines.length - SHOWN
  const pick = findPick(query.data)
  const picked = pick ? stillPicked(query.data, pick) : {}
  const total = sumOfPicked(picked)
  return (
    <>
      {total > 0 ? (
        <p className="text-label text-ink-2">
          {t('{total} of {wanted, plural, one {# piece} other {# pieces}} picked', {
            total: formatCount(total),
            wanted: pickable(query.data).reduce((sum, line) => sum + leftOf(line), 0),
          })}
        </p>
      ) : null}
      <ul aria-label={t('Lines')} className="divide-y divide-line text-label">
        {lines.slice(0, SHOWN).map((line) => (
          <li key={line.id} className="flex items-baseline gap-2 py-1">
            <span className="shrink-0 font-medium tabular-nums">{`${formatCount(line.quantity)} ×`}</span>
            <span className="min-w-0 flex-1 wrap-anywhere">
              <span className="code">{line.sku}</span> <bdi className="text-ink-2">{line.name}</bdi>
            </span>
            <span className="text-end text-ink-3">
              {joinFacts([
                line.shipped_quantity > 0 &&
                  t('{shipped} shipped', { shipped: formatCount(line.shipped_quantity) }),
                line.reserved_quantity > 0 &&
                  t('{reserved} reserved', { reserved: formatCount(line.reserved_quantity) }),
                (picked[line.id] ?? 0) > 0 &&
                  t('{picked} picked', { picked: formatCount(picked[line.id] ?? 0) }),
              ])}
            </span>
          </li>
        ))}
        {more > 0 ? (
          <li className="py-1 text-ink-3">
            {t('{more, plural, one {# more line} other {# more lines}}', { more })}
          </li>
        ) : null}
      </ul>
    </>
  )
}
