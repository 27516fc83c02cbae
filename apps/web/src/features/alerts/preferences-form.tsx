import { ALERT_KINDS, ALERT_KIND_NAMES } from '@pegasus/contracts/alerts'
import { useQuery } from '@tanstack/react-query'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { Switch } from '@/components/ui/forms/switch.tsx'
import { errorMessage } from '@/lib/http/api-error.ts'
import { preferencesQuery, useChoose } from './alerts.queries.ts'

const WAYS = [
  { way: 'in_app', label: 'In the app' },
  { way: 'by_mail', label: 'By mail' },
] as const

/** For each kind of alert: whether it appears in this inbox, and whether it is mailed. Each switch saves itself. */
export function PreferencesForm() {
  const preferences = useQuery(preferencesQuery)
  const choose = useChoose()
  return (
    <section aria-label="Alert settings" className="mb-3 rounded-control bg-sunken px-3 py-2">
      {preferences.isPending ? (
        <SkeletonGroup label="Loading your choices" className="flex flex-col gap-3 py-2">
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-full" />
        </SkeletonGroup>
      ) : null}
      <QueryError query={preferences} message="Your choices could not be loaded." />
      {choose.isError ? (
        <AlertBox title={errorMessage(choose.error, 'Your choice could not be saved. Please try again.')} />
      ) : null}
      {preferences.data ? (
        <ul className="divide-y divide-line">
          {ALERT_KINDS.map((kind) => (
            <li key={kind} className="flex flex-wrap items-center gap-x-5 gap-y-1 py-1.5">
              <span className="min-w-36 flex-1 font-medium">{ALERT_KIND_NAMES[kind]}</span>
              {WAYS.map(({ way, label }) => (
                <Switch
                  key={way}
                  label={label}
                  aria-label={`${ALERT_KIND_NAMES[kind]}: ${label}`}
                  checked={preferences.data.choices[kind][way]}
                  onChange={(event) => choose.mutate({ kind, choice: { [way]: event.target.checked } })}
                />
              ))}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
