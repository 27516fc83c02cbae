import type { ChannelDelivery } from '@pegasus/contracts/channels/channels'
import { useMutation } from '@tanstack/react-query'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatDateTime } from '@/lib/format/format.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { type listQuery, useList } from '@/lib/http/use-list.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface DeliveryLogProps {
  query: ReturnType<typeof listQuery<ChannelDelivery>>
  /** Sends a delivery again. */
  onReplay: (id: string) => Promise<unknown>
  /** Called after a replay, to refetch the list. */
  onReplayed: () => void
}

/** Lists the deliveries to a channel or a device, and sends single ones again. */
export function DeliveryLog({ query, onReplay, onReplayed }: DeliveryLogProps) {
  const { list, items, isLoading, isEmpty, paging } = useList(query)
  if (isLoading)
    return (
      <SkeletonLines label={t('Loading the deliveries')} count={3} className="flex flex-col gap-3 py-2" />
    )
  return (
    <>
      <QueryError query={list} message={t('The deliveries could not be loaded.')} />
      {isEmpty ? <p className="py-2 text-ink-2">{t('Nothing has been sent yet.')}</p> : null}
      <ul aria-label={t('Deliveries')} className="divide-y divide-line">
        {items.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onReplay={onReplay} onReplayed={onReplayed} />
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button
          className="mt-3 w-full"
          isPending={list.isFetchingNextPage}
          onClick={() => void paging.onMore()}
        >
          {t('Show more')}
        </Button>
      ) : null}
    </>
  )
}

const STATES = {
  waiting: { tone: 'blue', label: t('Waiting') },
  delivered: { tone: 'green', label: t('Delivered') },
  failed: { tone: 'red', label: t('Failed') },
} as const

function DeliveryRow({
  delivery,
  onReplay,
  onReplayed,
}: Pick<DeliveryLogProps, 'onReplay' | 'onReplayed'> & { delivery: ChannelDelivery }) {
  const { id, type, title, state, created_at: at, next_attempt_at: nextAt, attempts } = delivery
  const replay = useMutation({
    mutationFn: () => onReplay(id),
    onSuccess: () => toast({ title: t('It will be sent again.') }),
    onError: (error) => toast({ title: errorMessage(error, t('That did not work. Please try again.')) }),
    onSettled: onReplayed,
  })
  const { tone, label } = STATES[state]
  const [last] = attempts
  return (
    <li className="flex items-start gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          <bdi>{title}</bdi> <code className="text-label text-ink-2">{type}</code>
        </p>
        <p className="mt-0.5 text-caption text-ink-3">
          {joinFacts([
            formatDateTime(at),
            t('{number, plural, one {# attempt} other {# attempts}}', { number: last?.number ?? 0 }),
            ...(nextAt ? [t('next {nextAt}', { nextAt: formatDateTime(nextAt) })] : []),
          ])}
        </p>
        {last?.note ? (
          <p className="mt-1 text-label font-medium text-red-ink wrap-anywhere">{serverText(last.note)}</p>
        ) : null}
      </div>
      <StatusBadge status={state} tone={tone}>
        {label}
      </StatusBadge>
      <Button
        size="sm"
        aria-label={t('Send again: {title}', { title })}
        isPending={replay.isPending}
        onClick={() => replay.mutate()}
      >
        {t('Send again')}
      </Button>
    </li>
  )
}
