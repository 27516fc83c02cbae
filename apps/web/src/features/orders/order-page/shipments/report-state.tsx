import { SHIPMENT_REPORTED_WITHIN_MS } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import { useNow } from '@/lib/browser/use-now.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Shows whether a shipment was reported to the shop. After a failed report, it also says whether the server still tries.
 * `isReported` means that the configured shop knows the order.
 */
export function ReportState({
  shipment,
  isReported,
}: {
  shipment: Order['shipments'][number]
  isReported: boolean
}) {
  const nowMs = useNow()
  const { tell_problem: problem, told_at: reportedAt, created_at: createdAt } = shipment
  if (shipment.is_tracking_old_in_shop)
    return <p className="text-caption text-yellow-ink wrap-anywhere">{trackingMessage(shipment)}</p>
  if (reportedAt) return <p className="text-caption text-ink-3">{t('Reported to the shop.')}</p>
  if (!problem) return null
  const isOver = nowMs - Date.parse(createdAt) >= SHIPMENT_REPORTED_WITHIN_MS
  return (
    <p className="text-caption text-yellow-ink wrap-anywhere">
      {messageOf(endSentence(problem), { isReported, isOver })}
    </p>
  )
}

/** Adds a full stop to a shop's message, because a sentence follows it: `Not found` → `Not found.` */
const endSentence = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

function trackingMessage({
  is_tracking_due: isDue,
  tracking_problem: problem,
}: Order['shipments'][number]): string {
  if (!isDue) return t('Reported to the shop with the earlier tracking. Change it in the shop as well.')
  if (!problem) return t('Reported to the shop. The changed tracking is sent to the shop now.')
  return t(
    'The changed tracking is not yet reported to the shop: {problem} The server tries again for up to 30 days after the change.',
    { problem: endSentence(problem) },
  )
}

function messageOf(
  problem: string,
  { isReported, isOver }: { isReported: boolean; isOver: boolean },
): string {
  if (!isReported)
    return t(
      'Not reported to the shop: {problem} The server does not try again, because the shop that is set up now does not know this order.',
      { problem },
    )
  return isOver
    ? t(
        'Not reported to the shop: {problem} The server stopped trying after 30 days. Mark the pieces as sent in the shop.',
        { problem },
      )
    : t(
        'Not yet reported to the shop: {problem} The server tries again for up to 30 days after the shipment.',
        {
          problem,
        },
      )
}
