import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import { isMisfit } from '@pegasus/contracts/print-queue/job-waits'
import { hasRole, isAdmin } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Clock } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { countComingPlates } from '../plate-uses.ts'
import { jobPlatesQuery, matchesQuery } from '../print-queue.queries.ts'
import type { JobAddresses } from '../print-queue-address.ts'
import { ToolList } from './tool-list.tsx'
import { useClearPlate } from './use-clear-plate.tsx'
import { useMatching } from './use-matching.ts'
import { WaitActions } from './wait-actions.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

interface MatchesCardProps {
  job: PrintJob
  addresses: JobAddresses
}

/**
 * Lists every printer with the reasons why it cannot print the next plate of a job now. Each reason has a button that
 * resolves it. A job that prints its last plate has none.
 */
export function MatchesCard({ job, addresses }: MatchesCardProps) {
  const isPrinting = job.status === 'in_progress'
  const { data: plates } = useQuery({ ...jobPlatesQuery(job.id), enabled: isPrinting })
  const isWaiting =
    job.status === 'pending' ||
    job.status === 'on_hold' ||
    (isPrinting && plates !== undefined && countComingPlates(job, plates) > 0)
  const matches = useQuery({ ...matchesQuery(job.id), enabled: isWaiting })
  const clear = useClearPlate()
  return (
    <>
      {isWaiting ? (
        <Card className="p-4">
          <h2 className="mb-1 font-semibold">{t('Printers')}</h2>
          {matches.isPending ? (
            <SkeletonGroup label={t('Loading the printers')}>
              <Skeleton className="mt-3 h-9" />
              <Skeleton className="mt-3 h-9" />
            </SkeletonGroup>
          ) : matches.isError ? (
            <QueryError message={t('The printers could not be loaded.')} query={matches} />
          ) : matches.data.length === 0 ? (
            <p className="text-ink-2">
              {t('There is no printer yet.')}{' '}
              <Link to={addresses.printers} className="link">
                {t('Add a printer under Printers')}
              </Link>
            </p>
          ) : (
            <MatchList job={job} matches={matches.data} onClear={clear.open} addresses={addresses} />
          )}
        </Card>
      ) : null}
      {clear.dialog}
    </>
  )
}

/** Number of printers that the card shows at first. The server lists the best ones first. */
const FIRST_ROWS = 10

/** The best printers and the chosen one. A person can show the others. */
function MatchList({ matches, ...row }: Omit<MatchRowProps, 'match'> & { matches: readonly PrinterMatch[] }) {
  const list = useRef<HTMLUListElement>(null)
  const [isAll, setIsAll] = useState(false)
  const first = matches.filter((match, index) => index < FIRST_ROWS || match.is_assigned)
  // A button that shows one more row would take as much room as the row.
  const shown = isAll || matches.length - first.length <= 1 ? matches : first
  const showAll = () => {
    setIsAll(true)
    // The button that had the focus disappears.
    list.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <ul ref={list} tabIndex={-1} className="divide-y divide-line outline-none">
        {shown.map((match) => (
          <MatchRow key={match.printer.id} match={match} {...row} />
        ))}
      </ul>
      {shown.length < matches.length ? (
        <Button size="sm" variant="ghost" className="mt-2" onClick={showAll}>
          {t('Show all {total, plural, one {# printer} other {# printers}}', { total: matches.length })}
        </Button>
      ) : null}
    </>
  )
}

const ICON = { size: 16, strokeWidth: 1.75, className: 'mt-0.5 shrink-0', 'aria-hidden': true } as const

interface MatchRowProps extends MatchesCardProps {
  match: PrinterMatch
  /** Opens the dialog that clears the bed of a printer. */
  onClear: (printerId: string) => void
}

function MatchRow(props: MatchRowProps) {
  const { match, addresses } = props
  const { printer, reasons, is_assigned: isAssigned } = match
  const fits = !reasons.some(({ code }) => isMisfit(code))
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 py-2.5">
      {reasons.length === 0 ? (
        <Check {...ICON} className={`${ICON.className} text-green-ink`} />
      ) : fits ? (
        <Clock {...ICON} className={`${ICON.className} text-ink-3`} />
      ) : (
        <CircleAlert {...ICON} className={`${ICON.className} text-red-ink`} />
      )}
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">
          <Link to={addresses.printer(printer.id)} className="hover:underline">
            <bdi>{printer.name}</bdi>
          </Link>
          {isAssigned ? (
            <span className="ms-2 text-caption font-normal text-accent-ink">{t('Chosen')}</span>
          ) : null}
        </p>
        {reasons.length === 0 ? <p className="text-label text-ink-2">{t('Can start now.')}</p> : null}
        {reasons.map(({ code, message }) => (
          <p key={code + message} className="text-label text-ink-2">
            {serverText(message)}
          </p>
        ))}
        <ToolList printerName={printer.name} tools={match.tools} />
      </div>
      <MatchActions {...props} fits={fits} />
    </li>
  )
}

interface MatchActionsProps extends MatchRowProps {
  fits: boolean
}

/** The buttons that resolve the reasons, and the button that selects the printer. */
function MatchActions({ job, match, onClear, addresses, fits }: MatchActionsProps) {
  const { role } = useCurrentUser()
  const matching = useMatching(job)
  if (!hasRole(role, 'staff')) return null
  const { assign } = matching
  const { printer, reasons, is_assigned: isAssigned } = match
  return (
    <span className="ms-auto flex flex-wrap justify-end gap-1.5">
      <WaitActions
        actions={reasons.flatMap(({ action }) => action ?? [])}
        name={printer.name}
        matching={matching}
        onClear={onClear}
        addresses={addresses}
      />
      {isAssigned ? (
        <Button
          size="sm"
          variant="ghost"
          aria-label={t('Do not wait for {name}', { name: printer.name })}
          onClick={() => assign.mutate({ printerId: null })}
        >
          {t('Any printer')}
        </Button>
      ) : fits ? (
        <Button
          size="sm"
          variant="ghost"
          aria-label={t('Choose {name}', { name: printer.name })}
          onClick={() => assign.mutate({ printerId: printer.id })}
        >
          {t('Choose')}
        </Button>
      ) : isAdmin(role) ? (
        <Button
          size="sm"
          variant="ghost"
          aria-label={t('Choose {name} although it does not fit', { name: printer.name })}
          onClick={() => assign.mutate({ printerId: printer.id, isOverride: true })}
        >
          {t('Choose anyway')}
        </Button>
      ) : null}
    </span>
  )
}
