import {
  type BackupRun,
  type BackupStatus,
  startBackup,
  updateBackupSchedule,
} from '@pegasus/contracts/backups'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { DatabaseBackup } from 'lucide-react'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { formatBytes } from '@/lib/format/bytes.ts'
import { formatAgo, formatDateTime } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { backupsQuery } from './system.queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const RUNNING_REFETCH_MS = 1_000
const REFETCH_MS = 30_000

const PAUSES = [
  { hours: null, label: t('Off') },
  { hours: 1, label: t('Every hour') },
  { hours: 6, label: t('Every 6 hours') },
  { hours: 12, label: t('Every 12 hours') },
  { hours: 24, label: t('Every day') },
  { hours: 168, label: t('Every week') },
] as const
const KEPT = [3, 7, 14, 30, 60, 90]

const isRunning = (status: BackupStatus | undefined): boolean =>
  status?.runs.some(({ state }) => state === 'running') ?? false

/** Shows the backups, their schedule, and a button that creates a backup now. */
export function BackupsCard() {
  const client = useQueryClient()
  const backups = useQuery({
    ...backupsQuery,
    refetchInterval: ({ state }) => (isRunning(state.data) ? RUNNING_REFETCH_MS : REFETCH_MS),
  })
  const starting = useMutation({
    mutationFn: () => callApi(startBackup),
    onError: (error) => toast({ title: errorDetail(error, t('The backup could not be started.')) }),
    onSettled: () => client.invalidateQueries(backupsQuery),
  })
  const status = backups.data
  const folder = <code className="wrap-anywhere">{status?.folder}</code>
  return (
    <Card
      title={t('Backups')}
      aside={
        <Button
          size="sm"
          icon={<DatabaseBackup size={14} strokeWidth={1.75} aria-hidden />}
          isPending={starting.isPending || isRunning(status)}
          onClick={() => starting.mutate()}
        >
          {isRunning(status) ? t('Backing up...') : t('Back up now')}
        </Button>
      }
    >
      <QueryError query={backups} message={t('The backups could not be loaded.')} />
      {backups.isPending ? (
        <SkeletonLines label={t('Loading the backups')} count={4} className="flex flex-col gap-3 p-4" />
      ) : null}
      {status ? (
        <>
          <div className="flex flex-col gap-4 p-4">
            <LastGood status={status} />
            <ScheduleForm status={status} />
            <p className="text-label text-ink-2">
              {status.is_encrypted
                ? rich(
                    'Written to {folder}, encrypted with BACKUP_KEY. A backup on the same disk is lost together with the disk: set BACKUP_DIR to another disk.',
                    { folder },
                  )
                : rich(
                    'Written to {folder}, not encrypted, and do not contain the root secret: keep a copy of it elsewhere. A backup on the same disk is lost together with the disk: set BACKUP_DIR to another disk.',
                    { folder },
                  )}
            </p>
          </div>
          {status.runs.length > 0 ? (
            <ul aria-label={t('Backups')} className="divide-y divide-line border-t border-line">
              {status.runs.map((run) => (
                <Run key={run.id} run={run} />
              ))}
            </ul>
          ) : null}
        </>
      ) : null}
    </Card>
  )
}

function LastGood({ status }: { status: BackupStatus }) {
  const nowMs = useNow()
  const { last_good: last, is_late: isLate, next_at: nextAt } = status
  if (last === null)
    return (
      <AlertBox tone="warning" title={t('There is no backup yet.')}>
        {t('Make one now, or choose a schedule.')}
      </AlertBox>
    )
  const size = last.size_bytes === null ? '' : `, ${formatBytes(last.size_bytes)}`
  const sentence = t('The last good backup is from {began_at} ({began_at2}{size}).', {
    began_at: formatDateTime(last.began_at),
    began_at2: formatAgo(last.began_at, nowMs),
    size,
  })
  return isLate ? (
    <AlertBox tone="warning" title={t('The last good backup is too old.')}>
      {sentence}
    </AlertBox>
  ) : (
    <p>
      {sentence}{' '}
      {nextAt
        ? t('The next one is due {nextAt}.', { nextAt: formatDateTime(nextAt) })
        : t('No further backup is planned.')}
    </p>
  )
}

/** The two settings of the schedule. Each is saved as soon as it is changed. */
function ScheduleForm({ status }: { status: BackupStatus }) {
  const client = useQueryClient()
  const { every_hours: everyHours, keep } = status.schedule
  const saving = useMutation({
    mutationFn: (change: Partial<BackupStatus['schedule']>) =>
      callApi(updateBackupSchedule, { body: { ...status.schedule, ...change } }),
    onSuccess: () => toast({ title: t('The schedule is saved.') }),
    onError: (error) => toast({ title: errorDetail(error, t('The schedule could not be saved.')) }),
    onSettled: () => client.invalidateQueries(backupsQuery),
  })
  const pauses = PAUSES.some(({ hours }) => hours === everyHours)
    ? PAUSES
    : [...PAUSES, { hours: everyHours, label: t('Every {everyHours} hours', { everyHours }) }]
  const kept = KEPT.includes(keep) ? KEPT : [...KEPT, keep]
  return (
    <div className="flex flex-wrap gap-4">
      <Field label={t('Back up')} className="w-44 phone:w-full">
        <Select
          value={String(everyHours ?? '')}
          disabled={saving.isPending}
          onChange={({ target: { value } }) =>
            saving.mutate({ every_hours: value === '' ? null : Number(value) })
          }
        >
          <Options of={pauses.map(({ hours, label }) => ({ value: String(hours ?? ''), label }))} />
        </Select>
      </Field>
      <Field label={t('Keep')} className="w-44 phone:w-full">
        <Select
          value={String(keep)}
          disabled={saving.isPending}
          onChange={({ target: { value } }) => saving.mutate({ keep: Number(value) })}
        >
          <Options
            of={kept.map((count) => ({ value: String(count), label: t('The newest {count}', { count }) }))}
          />
        </Select>
      </Field>
    </div>
  )
}

const STATES = {
  running: { tone: 'blue', label: t('Running') },
  done: { tone: 'green', label: t('Done') },
  failed: { tone: 'red', label: t('Failed') },
} as const

const CAUSES = {
  person: t('by hand'),
  schedule: t('by the schedule'),
  command: t('by the command'),
} as const

function Run({ run }: { run: BackupRun }) {
  const { tone, label } = STATES[run.state]
  const cause = CAUSES[run.cause]
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{formatDateTime(run.began_at)}</p>
        <p className="mt-0.5 text-caption text-ink-3">
          {joinFacts([
            cause,
            ...(run.rows === null
              ? []
              : [t('{rows, plural, one {# row} other {# rows}}', { rows: run.rows })]),
            ...(run.files === null
              ? []
              : [t('{files, plural, one {# file} other {# files}}', { files: run.files })]),
            ...(run.size_bytes === null ? [] : [formatBytes(run.size_bytes)]),
          ])}
        </p>
        {run.failure ? (
          <p className="mt-1 text-label font-medium text-red-ink wrap-anywhere">{serverText(run.failure)}</p>
        ) : null}
      </div>
      <StatusBadge status={run.state} tone={tone}>
        {label}
      </StatusBadge>
    </li>
  )
}
