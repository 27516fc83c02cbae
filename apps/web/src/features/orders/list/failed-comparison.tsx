import { useQuery } from '@tanstack/react-query'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { formatDateTime } from '@/lib/format/format.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { t } from '@/lib/i18n/messages.ts'
import { shopComparisonQuery } from '../orders.queries.ts'

/** Says when and why the last comparison with the shop failed. Renders nothing after a success. */
export function FailedComparison() {
  const { data } = useQuery(shopComparisonQuery())
  if (!data || data.problem === null || data.failed_at === null) return null
  return (
    <AlertBox tone="warning" className="mb-3" title={t('The orders could not be compared with the shop')}>
      <p className="wrap-anywhere">{serverText(data.problem)}</p>
      <p>
        {data.compared_at === null
          ? t(
              'Last attempt: {failed_at}. No comparison has succeeded yet. The server tries again regularly.',
              {
                failed_at: formatDateTime(data.failed_at),
              },
            )
          : t('Last attempt: {failed_at}. Last success: {compared_at}. The server tries again regularly.', {
              failed_at: formatDateTime(data.failed_at),
              compared_at: formatDateTime(data.compared_at),
            })}
      </p>
    </AlertBox>
  )
}
