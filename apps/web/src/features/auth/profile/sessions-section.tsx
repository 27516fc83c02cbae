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
import { formatAgo, formatDateTime, formatNumberOf } from '@/lib/format/format.ts'
import { signOutElsewhere } from '@/lib/session/session.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { Section, SectionList, SectionListSkeleton } from './section.tsx'
import { ownSessionsQuery } from './security.queries.ts'

const SHOWN_AT_FIRST = 4

/** Lists the sessions of the account, with buttons to end them. */
export function SessionsSection() {
  const sessions = useQuery(ownSessionsQuery)
  const everywhereElse = useEnding(signOutElsewhere, 'Signed out everywhere else')
  const [isAllShown, setIsAllShown] = useState(false)
  const items = sessions.data?.items ?? []
  const shown = isAllShown ? items : items.slice(0, SHOWN_AT_FIRST)
  return (
    <Section
      title="Where you are signed in"
      intro="Sign out every session that you do not recognize, then change your password."
    >
      {sessions.isPending ? (
        <SectionListSkeleton
          label="Loading your sessions"
          count={2}
          bars={['h-3.5 w-44', 'h-3 w-56', 'h-2.5 w-32']}
        />
      ) : null}
      <QueryError query={sessions} message="Your sessions could not be loaded." />
      {everywhereElse.isError ? <EndingFailed error={everywhereElse.error} /> : null}
      {items.length > 0 ? (
        <SectionList>
          {shown.map((session) => (
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
            Sign out everywhere else
          </Button>
          {items.length > shown.length ? (
            <Button variant="ghost" onClick={() => setIsAllShown(true)} className="phone:grow">
              Show all {formatNumberOf(items.length, 'session')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </Section>
  )
}

function SessionRow({ session }: { session: OwnSession }) {
  const { id, device, ip, created_at, last_used_at, is_current: isCurrent } = session
  const end = useEnding(() => callApi(endOwnSession, { params: { id } }), `Signed out on ${device}`)
  const nowMs = useNow()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium wrap-anywhere" title={session.user_agent ?? undefined}>
            {device}
          </span>
          {isCurrent ? <Tag>This session</Tag> : null}
        </p>
        <p className="text-label text-ink-2 wrap-anywhere">
          {ip ?? 'Address unknown'} ·{' '}
          {isCurrent ? 'in use now' : `last used ${formatAgo(last_used_at, nowMs)}`}
        </p>
        <p className="text-caption text-ink-3">Signed in {formatDateTime(created_at)}</p>
      </div>
      {isCurrent ? null : (
        <Button
          size="sm"
          onClick={() => end.mutate()}
          isPending={end.isPending}
          aria-label={`Sign out ${device}, ${ip ?? 'address unknown'}`}
        >
          Sign out
        </Button>
      )}
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
  <AlertBox title={errorMessage(error, error.message || 'This did not work. Please try again.')} />
)
