import type { OutboxMail } from '@pegasus/contracts/mail'
import { Copy, MailOpen } from 'lucide-react'
import { ListError } from '@/components/list-error.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { cx } from '@/lib/class-names.ts'
import { copyText } from '@/lib/browser/clipboard.ts'
import { useMailDelivery } from '@/lib/http/config.ts'
import { formatDateTime } from '@/lib/format/format.ts'
import { useList } from '@/lib/http/use-list.ts'
import { outboxQuery } from './accounts.queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** Lists the emails that were not sent. Links are copied, not opened, because administrators send them to people. */
export function OutboxList() {
  const { list, items, isLoading, isEmpty, paging } = useList(outboxQuery)
  const isSmtp = useMailDelivery() === 'smtp'
  return (
    <>
      <ListError name={t('The list of emails')} list={list} />
      {isLoading ? (
        <SkeletonLines
          label={t('Loading the emails')}
          count={4}
          className="flex flex-col gap-3"
          lineClass="h-20 w-full rounded-card!"
        />
      ) : null}
      {isEmpty ? (
        <Card className="p-4">
          <EmptyState
            icon={<MailOpen size={28} strokeWidth={1.4} aria-hidden />}
            title={t('No emails to deliver')}
            titleLevel={2}
          >
            {isSmtp
              ? t('Emails are sent by your mail server. Rejected emails are kept here.')
              : t(
                  'No mail server is configured. Invitations, confirmations and links for a new password wait here until you deliver them.',
                )}
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <ul aria-label={t('Emails')} className="flex flex-col gap-3">
          {items.map((mail) => (
            <li key={mail.id}>
              <Mail mail={mail} />
            </li>
          ))}
        </ul>
      ) : null}
      {paging.hasMore ? (
        <Button onClick={() => void paging.onMore()} className="mt-4">
          {t('Older emails')}
        </Button>
      ) : null}
    </>
  )
}

async function copyLink(link: string): Promise<void> {
  const isCopied = await copyText(link)
  toast({
    title: isCopied
      ? t('Link copied. It gives access to an account, so send it only to that person.')
      : t('The browser did not allow copying. Open the email and select the link.'),
  })
}

function Mail({ mail }: { mail: OutboxMail }) {
  const [link] = mail.links
  return (
    <Card className="p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <p className={cx('font-medium wrap-anywhere', mail.link_ended && 'text-ink-2')}>{mail.subject}</p>
          <p className="text-label text-ink-2 wrap-anywhere">
            {rich('to {to} · {created_at}', {
              to: <bdi>{mail.to}</bdi>,
              created_at: formatDateTime(mail.created_at),
            })}
          </p>
          {mail.failed_at ? (
            <p className="mt-1 text-label font-medium text-red-ink">
              {t('Not sent at {failed_at}: {failure}', {
                failed_at: formatDateTime(mail.failed_at),
                failure: mail.failure,
              })}
            </p>
          ) : null}
        </div>
        {mail.link_ended ? (
          <StatusBadge status="ended" tone="grey">
            {t('Used or expired')}
          </StatusBadge>
        ) : link ? (
          <Button
            icon={<Copy size={16} strokeWidth={1.75} aria-hidden />}
            aria-label={t('Copy link of the email to {to}', { to: mail.to })}
            onClick={() => void copyLink(link)}
          >
            {t('Copy link')}
          </Button>
        ) : null}
      </div>
      <details className="mt-2 text-label">
        <summary className="w-fit cursor-pointer text-accent-ink phone:py-2.5">{t('Show the email')}</summary>
        <pre className="mt-2 rounded-control bg-sunken p-3 font-[inherit] whitespace-pre-wrap wrap-anywhere">
          {mail.text}
        </pre>
      </details>
    </Card>
  )
}
