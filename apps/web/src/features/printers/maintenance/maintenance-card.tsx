import type { MaintenanceEntry, MaintenancePlan } from '@pegasus/contracts/print-queue/maintenance'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Check, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { CardState } from '@/components/card-state.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatDate, formatDateTime } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { AddPlanDialog, ChangePlanDialog, ServicedDialog } from './maintenance-dialogs.tsx'
import { maintenanceQuery, useMaintenance } from './maintenance.queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

const SMALL = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const
/** Number of log entries that are shown at first; a button shows all. */
const SHOWN = 5

/** The maintenance of a printer: the plans with their due dates, and a log of past work. */
export function MaintenanceCard({ printer }: { printer: Printer }) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const query = useQuery(maintenanceQuery(printer.id))
  const [isAdding, setIsAdding] = useState(false)
  const [done, setDone] = useState<MaintenancePlan | 'other' | null>(null)
  const [changed, setChanged] = useState<MaintenancePlan | null>(null)
  const { plans = [], log = [] } = query.data ?? {}
  if (query.data && plans.length === 0 && log.length === 0 && !canChange) return null
  return (
    <Card
      title={t('Maintenance')}
      aside={
        canChange ? (
          <Button size="sm" icon={<Plus {...SMALL} />} onClick={() => setIsAdding(true)}>
            {t('Add plan')}
          </Button>
        ) : null
      }
    >
      <CardState
        error={t('The maintenance could not be loaded.')}
        loading={t('The maintenance: loading')}
        query={query}
      />
      {query.data && plans.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">
          {t('No maintenance is planned yet. For example, plan a new nozzle every 400 hours.')}
        </p>
      ) : null}
      <ul className="divide-y divide-line" aria-label={t('Maintenance plans')}>
        {plans.map((plan) => (
          <PlanRow
            key={plan.id}
            plan={plan}
            printer={printer}
            onDone={canChange ? () => setDone(plan) : null}
            onChange={() => setChanged(plan)}
          />
        ))}
      </ul>
      {canChange ? (
        <div className="border-t border-line px-4 py-2.5">
          <Button size="sm" variant="ghost" onClick={() => setDone('other')}>
            {t('Log other work')}
          </Button>
        </div>
      ) : null}
      <Log entries={log} />
      {isAdding ? <AddPlanDialog printer={printer} onClose={() => setIsAdding(false)} /> : null}
      {changed ? (
        <ChangePlanDialog printer={printer} plan={changed} onClose={() => setChanged(null)} />
      ) : null}
      {done === null ? null : (
        <ServicedDialog
          printer={printer}
          plan={done === 'other' ? null : done}
          onClose={() => setDone(null)}
        />
      )}
    </Card>
  )
}

interface PlanRowProps {
  plan: MaintenancePlan
  printer: Printer
  /** Called to log the maintenance as done; null for people who may not do that. */
  onDone: (() => void) | null
  onChange: () => void
}

function PlanRow({ plan, printer, onDone, onChange }: PlanRowProps) {
  const { endPlan } = useMaintenance(printer)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex items-center gap-2 font-medium">
          <bdi className="min-w-0 wrap-anywhere">{plan.name}</bdi>
          {plan.is_due ? (
            <StatusBadge status="due" tone="yellow">
              {t('Due')}
            </StatusBadge>
          ) : null}
        </p>
        <p className="text-label text-ink-2">{dueText(plan)}</p>
        <p className="text-caption text-ink-3">
          {t('{rhythmText} · last {done_at}, at {hours} h', {
            rhythmText: rhythmText(plan),
            done_at: formatDate(plan.done_at),
            hours: formatCount(plan.done_at_hours),
          })}
        </p>
      </div>
      {onDone ? (
        <span className="ms-auto flex gap-1.5">
          <Button
            size="sm"
            icon={<Check {...SMALL} />}
            aria-label={t('Done: {name}', { name: plan.name })}
            onClick={onDone}
          >
            {t('Done')}
          </Button>
          <IconButton size="sm" label={t('Change the plan {name}', { name: plan.name })} onClick={onChange}>
            <Pencil {...SMALL} />
          </IconButton>
          <IconButton
            size="sm"
            label={t('End the plan {name}', { name: plan.name })}
            disabled={endPlan.isPending}
            onClick={() => endPlan.mutate(plan)}
          >
            <Trash2 {...SMALL} />
          </IconButton>
        </span>
      ) : null}
    </li>
  )
}

const dueDateText = (date: string, isExact: boolean): string =>
  isExact ? t('due {date}', { date }) : t('about {date}', { date })

/** Formats when maintenance is due: `120 h left, about Mar 3, 2027`. */
function dueText({ hours_left: hours, due_at: due }: MaintenancePlan): string {
  const parts = [
    hours === null
      ? null
      : hours >= 0
        ? t('{hours} h left', { hours: formatCount(hours) })
        : t('{hours} h overdue', { hours: formatCount(-hours) }),
    due === null ? null : dueDateText(formatDate(due), hours === null),
  ]
  return parts.filter(Boolean).join(', ') || t('No date yet: the printer has not printed since then.')
}

/** Formats the interval of a plan: `every 400 h or 90 days`. */
function rhythmText({ every_hours: everyHours, every_days: everyDays }: MaintenancePlan): string {
  const hours = everyHours === null ? null : formatCount(everyHours)
  const days = everyDays === null ? null : formatCount(everyDays)
  if (hours === null) return t('every {days} days', { days })
  return days === null
    ? t('every {hours} h', { hours })
    : t('every {hours} h or {days} days', { hours, days })
}

function Log({ entries }: { entries: readonly MaintenanceEntry[] }) {
  const [isWhole, setIsWhole] = useState(false)
  if (entries.length === 0) return null
  const shown = isWhole ? entries : entries.slice(0, SHOWN)
  return (
    <div className="border-t border-line">
      <h3 className="px-4 pt-3 text-label font-medium">{t('Log')}</h3>
      <ul className="divide-y divide-line" aria-label={t('Maintenance log')}>
        {shown.map((entry) => (
          <li key={entry.id} className="px-4 py-2">
            <p className="wrap-anywhere" dir="auto">
              {entry.done}
            </p>
            <p className="text-caption text-ink-3">
              {rich('{created_at} · {print_hours} h printed · {name}', {
                created_at: formatDateTime(entry.created_at),
                print_hours: formatCount(entry.print_hours),
                name: <bdi>{entry.actor.name}</bdi>,
              })}
            </p>
          </li>
        ))}
      </ul>
      {shown.length < entries.length ? (
        <div className="px-4 pb-3">
          <Button size="sm" variant="ghost" onClick={() => setIsWhole(true)}>
            {t('Show all {entries}', { entries: entries.length })}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
