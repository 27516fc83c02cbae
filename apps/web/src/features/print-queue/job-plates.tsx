import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Plate, PlateState } from '@pegasus/contracts/print-queue/plates'
import { hasRole } from '@pegasus/contracts/roles'
import type { StatusTone } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatDateTime, formatGrams, formatMinutes } from '@/lib/format/format.ts'
import { canLoadNow, unsuppliedText } from '@/components/production/unsupplied-grams.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { withLoading } from './print-queue-address.ts'
import { countComingPlates } from './plate-uses.ts'
import { jobPlatesQuery } from './print-queue.queries.ts'
import { ToolList } from './matching/tool-list.tsx'
import { useJobSteps } from './steps/use-job-steps.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const STATES: Readonly<Record<PlateState, { label: string; tone: StatusTone }>> = {
  sending: { label: t('Sending'), tone: 'blue' },
  printing: { label: t('Printing'), tone: 'blue' },
  paused: { label: t('Paused'), tone: 'yellow' },
  printed: { label: t('To be cleared'), tone: 'purple' },
  done: { label: t('Done'), tone: 'green' },
  failed: { label: t('Failed'), tone: 'red' },
  cancelled: { label: t('Cancelled'), tone: 'grey' },
}

/**
 * Lists the started plates of a job, each with its printer and result, and the number of plates that are not
 * started.
 */
export function JobPlates({ job }: { job: PrintJob }) {
  const { data } = useQuery(jobPlatesQuery(job.id))
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const steps = useJobSteps()
  const [params] = useSearchParams()
  if (!data || (data.length === 0 && job.pieces_per_plate === null)) return null
  const coming = countComingPlates(job, data)
  return (
    <Card title={t('Plates')}>
      <ol className="divide-y divide-line">
        {data.map((plate) => (
          <PlateLine
            key={plate.id}
            plate={plate}
            step={canChange ? stepOf(plate, { ...steps, job }) : null}
            loadAddress={canChange ? loadAddressOf(plate, params) : null}
          />
        ))}
        {coming > 0 ? (
          <li className="px-4 py-2.5 text-ink-2">
            {job.pieces_per_plate === null
              ? t('{coming, plural, one {# plate} other {# plates}} not started yet', { coming })
              : t('{coming, plural, one {# plate} other {# plates}} of {pieces} not started yet', {
                  coming,
                  pieces: formatCount(job.pieces_per_plate),
                })}
          </li>
        ) : null}
      </ol>
    </Card>
  )
}

interface PlateStep {
  label: string
  /** Accessible name of the button, which includes the plate's number. */
  name: string
  run: () => void
}

/** Returns the action on a plate: pause, resume, or undo its completion. */
function stepOf(
  { id, number, state, agent, can_undo: canUndo }: Plate,
  { job, undo, pause }: Pick<ReturnType<typeof useJobSteps>, 'undo' | 'pause'> & { job: PrintJob },
): PlateStep | null {
  if (canUndo)
    return {
      label: t('Undo'),
      name: t('Undo the completion of plate {number}', { number }),
      run: () => undo(job),
    }
  // An agent gets no commands, so a pause would not reach its printer.
  if (state === 'printing' && agent === null)
    return {
      label: t('Pause'),
      name: t('Pause plate {number}', { number }),
      run: () => pause(job, { id, number }, 'pause'),
    }
  if (state === 'paused')
    return {
      label: t('Resume'),
      name: t('Resume plate {number}', { number }),
      run: () => pause(job, { id, number }, 'resume'),
    }
  return null
}

const loadAddressOf = (plate: Plate, params: URLSearchParams): string | null =>
  plate.unsupplied_grams > 0 && plate.printer_id !== null && canLoadNow(plate)
    ? `?${withLoading(params, plate.printer_id)}`
    : null

interface PlateLineProps {
  plate: Plate
  step: PlateStep | null
  /** Address of the dialog that loads a spool. Null if the plate lacks none. */
  loadAddress: string | null
}

function PlateLine({ plate, step, loadAddress }: PlateLineProps) {
  const { label, tone } = STATES[plate.state]
  const isDone = plate.state === 'done'
  const counts = isDone
    ? plate.rejected_quantity > 0
      ? t('{good_quantity} good, {rejected_quantity} rejected', {
          good_quantity: formatCount(plate.good_quantity),
          rejected_quantity: formatCount(plate.rejected_quantity),
        })
      : t('{good_quantity} good', { good_quantity: formatCount(plate.good_quantity) })
    : t('{pieces, plural, one {# piece} other {# pieces}}', { pieces: plate.pieces })
  const details = [
    plate.used_grams === null ? null : formatGrams(plate.used_grams),
    plate.print_minutes === null ? null : formatMinutes(plate.print_minutes),
    plate.filament_label,
    formatDateTime(plate.finished_at ?? plate.started_at),
  ].filter(Boolean)
  return (
    <li className="flex items-start gap-4 px-4 py-2.5 phone:flex-wrap phone:gap-y-1">
      <span className="w-28 shrink-0">
        <StatusBadge status={plate.state} tone={tone}>
          {label}
        </StatusBadge>
      </span>
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere" dir="auto">
          {t('Plate {number} · {facts}', {
            number: plate.number,
            facts: joinFacts([plate.printer ?? plate.agent, counts, serverText(plate.reason ?? '')]),
          })}
        </p>
        <p className="text-caption text-ink-3">
          {/* There must be no line break within a code such as S-0001. */}
          {details.map((detail, n) => (
            <Fragment key={detail}>
              {n === 0 ? null : ' · '}
              <span className="whitespace-nowrap">{detail}</span>
            </Fragment>
          ))}
        </p>
        <ToolList printerName={plate.printer ?? ''} tools={plate.tools} />
        {plate.unsupplied_grams > 0 ? (
          <p className="text-label text-yellow-ink">
            {unsuppliedText(plate)}{' '}
            {loadAddress ? (
              <Link to={loadAddress} className="link">
                {t('Load a spool')}
              </Link>
            ) : null}
          </p>
        ) : null}
      </div>
      {step ? (
        <Button size="sm" aria-label={step.name} onClick={step.run}>
          {step.label}
        </Button>
      ) : null}
    </li>
  )
}
