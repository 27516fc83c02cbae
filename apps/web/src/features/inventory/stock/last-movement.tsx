import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { formatAgo } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { movementsQuery } from '../inventory.queries.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'
import { formatSigned, movementDetail, movementTitle, movementWords } from './movement-labels.ts'

/** Shows the latest stock movement of an item, below the picture in its dialog. */
export function LastMovement({ itemId }: { itemId: string }) {
  const nowMs = useNow()
  const { data } = useInfiniteQuery(movementsQuery(itemId))
  const last = data?.pages[0]?.items[0]
  if (!last) return null
  const { title, reason } = movementTitle(last)
  const detail = reason ?? movementDetail(last)
  return (
    <div className="mt-4 flex gap-2.5 border-t border-line pt-3 text-label text-ink-2">
      <History size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" aria-hidden />
      <p className="min-w-0 wrap-anywhere">
        <strong className="font-semibold text-ink">
          {last.delta === 0 ? title : `${formatSigned(last.delta)} ${movementWords(last)}`}
        </strong>
        , {formatAgo(last.created_at, nowMs)}
        <span className="block text-ink-3">{joinFacts([detail, last.actor.name])}</span>
      </p>
    </div>
  )
}
