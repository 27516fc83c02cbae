import { useQuery } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { TodayList } from '@/components/today/today-list.tsx'
import { useToday } from '@/components/today/use-today.ts'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useList } from '@/lib/http/use-list.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { AlertRow } from './alert-row.tsx'
import { inboxQuery, preferencesQuery, unreadQuery, useChoose, useRead } from './alerts.queries.ts'
import { ALERT_KIND_NAMES } from '@pegasus/contracts/alerts/alert-texts'
import { alertKindsOf } from '@pegasus/contracts/alerts/alerts'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Switch } from '@/components/ui/forms/switch.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const WAYS = [
  { way: 'in_app', label: t('In the app') },
  { way: 'by_mail', label: t('By email') },
  { way: 'by_push', label: t('On devices') },
] as const

/**
 * Switches for each kind of alert: whether it appears in this inbox, whether it is mailed, and whether it appears on
 * the person's devices. Each switch is saved immediately.
 */
function PreferencesForm() {
  const preferences = useQuery(preferencesQuery)
  const choose = useChoose()
  const { role } = useCurrentUser()
  return (
    <section aria-label={t('Alert settings')} className="mb-3 rounded-control bg-sunken px-3 py-2">
      {preferences.isPending ? (
        <SkeletonGroup label={t('Loading your settings')} className="flex flex-col gap-3 py-2">
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-full" />
        </SkeletonGroup>
      ) : null}
      <QueryError query={preferences} message={t('Your choices could not be loaded.')} />
      {choose.isError ? (
        <AlertBox
          title={errorMessage(choose.error, t('Your choice could not be saved. Please try again.'))}
        />
      ) : null}
      {preferences.data ? (
        <>
          <p className="py-1.5 text-label text-ink-2">
            {t('Turn on notifications on your devices in your profile, under Notifications.')}
          </p>
          <ul className="divide-y divide-line">
            {alertKindsOf(role).map((kind) => (
              <li
                key={kind}
                className="flex flex-wrap items-center gap-x-5 gap-y-1 py-1.5 phone:gap-x-2 phone:gap-y-0"
              >
                <span className="basis-full font-medium">{serverText(ALERT_KIND_NAMES[kind])}</span>
                {WAYS.map(({ way, label }) => (
                  <Switch
                    key={way}
                    label={label}
                    aria-label={`${serverText(ALERT_KIND_NAMES[kind])}: ${label}`}
                    checked={preferences.data.choices[kind][way]}
                    onChange={(event) => choose.mutate({ kind, choice: { [way]: event.target.checked } })}
                  />
                ))}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  )
}

const NOT_MARKED = t('That could not be marked as read. Please try again.')

/** The inbox of alerts, with the alert settings. */
export function AlertsDialog({ onClose }: { onClose: () => void }) {
  const [isChoosing, setIsChoosing] = useState(false)
  const { data } = useQuery(unreadQuery)
  const { list, items } = useList(inboxQuery)
  const markRead = useRead()
  const unread = data?.unread ?? 0
  const [newest] = items
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('Alerts')}
      description={
        unread > 0
          ? t('{unread, plural, one {# unread alert} other {# unread alerts}}', { unread })
          : t('Nothing unread')
      }
      error={markRead.isError ? errorMessage(markRead.error, NOT_MARKED) : null}
      footer={
        <>
          <Button variant="ghost" onClick={() => setIsChoosing(!isChoosing)} aria-pressed={isChoosing}>
            {t('Alert settings')}
          </Button>
          <Button
            onClick={() => newest && markRead.mutate({ id: newest.id, isAll: true })}
            disabled={unread === 0 || !newest}
          >
            {t('Mark all as read')}
          </Button>
        </>
      }
    >
      {isChoosing ? <PreferencesForm /> : null}
      <NeedsYou onLeave={onClose} />
      <QueryError query={list} message={t('The alerts could not be loaded.')} />
      <Inbox onRead={(id) => markRead.mutate({ id })} onLeave={onClose} />
    </Dialog>
  )
}

/**
 * Lists everything that needs attention now, including matters without an alert and matters whose alert was
 * read.
 */
function NeedsYou({ onLeave }: { onLeave: () => void }) {
  const rows = useToday()
  if (!rows || rows.length === 0) return null
  return (
    <section className="mb-4">
      <h3 className="mb-1 font-semibold">{t('Needs you now')}</h3>
      <TodayList
        label={t('Needs you now')}
        rows={rows}
        onLeave={onLeave}
        className="divide-y divide-line rounded-control border border-line"
      />
    </section>
  )
}

function Inbox({ onRead, onLeave }: { onRead: (id: string) => void; onLeave: () => void }) {
  const { list, items, isLoading, isEmpty, paging } = useList(inboxQuery)
  if (isLoading)
    return (
      <SkeletonGroup label={t('Loading the alerts')} className="flex flex-col gap-4 py-2">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className="h-9 w-full" />
        ))}
      </SkeletonGroup>
    )
  if (isEmpty)
    return (
      <EmptyState
        icon={<BellOff size={32} strokeWidth={1.4} aria-hidden />}
        title={t('No alerts')}
        titleLevel={3}
      >
        {t(
          "When an item or a filament runs low, a print fails or a product cannot be published, you'll see it here.",
        )}
      </EmptyState>
    )
  return (
    <>
      <ul aria-label={t('Alerts')} className="divide-y divide-line">
        {items.map((alert) => (
          <AlertRow key={alert.id} alert={alert} onRead={() => onRead(alert.id)} onLeave={onLeave} />
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button
          onClick={() => void paging.onMore()}
          isPending={list.isFetchingNextPage}
          className="mt-3 w-full"
        >
          {t('Show more')}
        </Button>
      ) : null}
    </>
  )
}
