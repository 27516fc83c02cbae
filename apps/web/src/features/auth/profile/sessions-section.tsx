import { endOwnSession, type OwnSession } from '@pegasus/contracts/auth/own-account'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Tag } from '@/components/ui/display/badge.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { formatAgo, formatDateTime } from '@/lib/format/format.ts'
import { signOutElsewhere } from '@/lib/session/session.ts'
import { useProjectUrl } from '@/lib/http/config.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { Section, SectionList, SectionListSkeleton } from './section.tsx'
import { ownSessionsQuery } from './security.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const SHOWN_AT_FIRST = 4

/** Lists the sessions of the account, with buttons to end them. */
export function SessionsSection() {
  const sessions = useQuery(ownSessionsQuery)
  const everywhereElse = useEnding(signOutElsewhere, t('Signed out everywhere else'))
  const [isAllShown, setIsAllShown] = useState(false)
  const items = sessions.data?.items ?? []
  const shownSessions = isAllShown ? items : items.slice(0, SHOWN_AT_FIRST)
  return (
    <Section
      title={t('Where you are signed in')}
      intro={t('Sign out every session that you do not recognize, then change your password.')}
    >
      {sessions.isPending ? (
        <SectionListSkeleton
          label={t('Loading your sessions')}
          count={2}
          bars={['h-3.5 w-44', 'h-3 w-56', 'h-2.5 w-32']}
        />
      ) : null}
      <QueryError query={sessions} message={t('Your sessions could not be loaded.')} />
      {everywhereElse.isError ? <EndingFailed error={everywhereElse.error} /> : null}
      {items.length > 0 ? (
        <SectionList>
          {shownSessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </SectionList>
      ) : null}
      {items.length > 1 ? (
        <div className="flex flex-wrap gap-2">
          <Button
            onClick={() => everywhereElse.mutate()}
            isPending={everywhereElse.isPending}
            className="phone:grow"
          >
            {t('Sign out everywhere else')}
          </Button>
          {items.length > shownSessions.length ? (
            <Button variant="ghost" onClick={() => setIsAllShown(true)} className="phone:grow">
              {t('Show all {items, plural, one {# session} other {# sessions}}', { items: items.length })}
            </Button>
          ) : null}
        </div>
      ) : null}
    </Section>
  )
}

function SessionRow({ session }: { session: OwnSession }) {
  const { id, device, ip, created_at, last_used_at, is_current: isCurrent } = session
  const end = useEnding(
    () => callApi(endOwnSession, { params: { id } }),
    t('Signed out on {device}', { device }),
  )
  const nowMs = useNow()
  // A hosted project cannot end a single other session. It ends only the current session, or all other sessions.
  const canEnd = useProjectUrl() === null && !isCurrent
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium wrap-anywhere" title={session.user_agent ?? undefined}>
            {device}
          </span>
          {isCurrent ? <Tag>{t('This session')}</Tag> : null}
        </p>
        <p className="text-label text-ink-2 wrap-anywhere">
          {ip ?? t('Address unknown')} ·{' '}
          {isCurrent
            ? t('in use now')
            : t('last used {last_used_at}', { last_used_at: formatAgo(last_used_at, nowMs) })}
        </p>
        <p className="text-caption text-ink-3">
          {t('Signed in {created_at}', { created_at: formatDateTime(created_at) })}
        </p>
      </div>
      {canEnd ? (
        <Button
          size="sm"
          onClick={() => end.mutate()}
          isPending={end.isPending}
          aria-label={t('Sign out {device}, {ip}', { device, ip: ip ?? t('address unknown') })}
        >
          {t('Sign out')}
        </Button>
      ) : null}
      {end.isError ? (
        <div className="basis-full">
          <EndingFailed error={end.error} />
        </div>
      ) : null}
    </li>
  )
}

function useEnding(end: () => Promise<unknown>, done: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: end,
    onSuccess: () => toast({ title: done }),
    // The list is also refetched after a failure, because the session may have ended on its own.
    onSettled: () => queryClient.invalidateQueries(ownSessionsQuery),
  })
}

const EndingFailed = ({ error }: { error: Error }) => (
  <AlertBox title={errorMessage(error, error.message || t('This did not work. Please try again.'))} />
)
