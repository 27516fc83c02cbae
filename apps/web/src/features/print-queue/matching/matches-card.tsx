import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import { type WaitAction, isMisfit } from '@pegasus/contracts/print-queue/job-waits'
import { hasRole, isAdmin } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Clock } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { ClearPrinterDialog } from '@/components/printer-dialogs/clear-printer-dialog.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { matchesQuery } from '../print-queue.queries.ts'
import type { JobAddresses } from '../print-queue-address.ts'
import { ToolList } from './tool-list.tsx'
import { useMatching } from './use-matching.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

interface MatchesCardProps {
  job: PrintJob
  addresses: JobAddresses
}

/**
 * Lists every printer with the reasons why it cannot print a waiting job now. Each reason has a button that resolves
 * it.
 */
export function MatchesCard({ job, addresses }: MatchesCardProps) {
  const isWaiting = job.status === 'pending' || job.status === 'on_hold'
  const matches = useQuery({ ...matchesQuery(job.id), enabled: isWaiting })
  if (!isWaiting) return null
  return (
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
        <MatchList job={job} matches={matches.data} addresses={addresses} />
      )}
    </Card>
  )
}

/** Number of printers that the card shows at first. The server lists the best ones first. */
const FIRST_ROWS = 10

/** The best printers and the chosen one. A person can show the others. */
function MatchList({ job, matches, addresses }: MatchesCardProps & { matches: readonly PrinterMatch[] }) {
  const list = useRef<HTMLUListElement>(null)
  const [isAll, setIsAll] = useState(false)
  const shown = isAll ? matches : matches.filter((match, index) => index < FIRST_ROWS || match.is_assigned)
  const showAll = () => {
    setIsAll(true)
    // The button that had the focus disappears.
    list.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <ul ref={list} tabIndex={-1} className="divide-y divide-line outline-none">
        {shown.map((match) => (
          <MatchRow key={match.printer.id} job={job} match={match} addresses={addresses} />
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

function MatchRow({ job, match, addresses }: MatchesCardProps & { match: PrinterMatch }) {
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
      <MatchActions job={job} match={match} addresses={addresses} fits={fits} />
    </li>
  )
}

interface MatchActionsProps extends MatchesCardProps {
  match: PrinterMatch
  fits: boolean
}

/** The buttons that resolve the reasons, and the button that selects the printer. */
function MatchActions({ job, match, addresses, fits }: MatchActionsProps) {
  const { role } = useCurrentUser()
  const { act, assign, clear } = useMatching(job)
  if (!hasRole(role, 'staff')) return null
  const { printer, reasons, is_assigned: isAssigned } = match
  const all = reasons.flatMap(({ action }) => (action ? [action] : []))
  // Several reasons may have the same action.
  const actions = [...new Map(all.map((action) => [action.label, action])).values()]
  const linkOf = ({ kind, stl_file_id: modelId }: WaitAction) => {
    if (kind === 'add_spool') return addresses.spools
    if (kind === 'edit_printer') return addresses.printerForm(printer.id)
    return kind === 'slice' && modelId ? addresses.model(modelId) : null
  }
  return (
    <span className="ms-auto flex flex-wrap justify-end gap-1.5">
      {actions.map((action) => {
        const link = linkOf(action)
        const label = serverText(action.label)
        return link ? (
          <Link key={action.label} to={link} className="link self-center text-label">
            {label}
          </Link>
        ) : (
          <Button
            key={action.label}
            size="sm"
            aria-label={t('{label} for {name}', { label, name: printer.name })}
            onClick={() => (action.kind === 'clear' ? clear.open(printer.id) : act.mutate(action))}
          >
            {label}
          </Button>
        )
      })}
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
      {clear.printer ? (
        <ClearPrinterDialog printer={clear.printer} onClear={clear.refresh} onClose={clear.close} />
      ) : null}
    </span>
  )
}
