import { type FailedTask, dismissFailedTask, retryFailedTask } from '@pegasus/contracts/system'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatDateTime } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { failedTasksQuery, systemQuery } from './system.queries.ts'
import { taskLabel } from './task-labels.ts'

/** Lists the background tasks that gave up or fail repeatedly, each with a button that tries it again. */
export function FailedTasksCard({ tasks }: { tasks: readonly FailedTask[] }) {
  return (
    <Card title={t('Failed tasks')}>
      <ul aria-label={t('Failed tasks')} className="divide-y divide-line">
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} />
        ))}
      </ul>
    </Card>
  )
}

function TaskRow({ task }: { task: FailedTask }) {
  const { id, queue, subject, subject_path: path, attempts, failed_at: failedAt, error, state } = task
  const client = useQueryClient()
  // Keep the buttons pending until the row is gone, so that a second click cannot reach the server.
  const refresh = () =>
    Promise.all([client.invalidateQueries(failedTasksQuery), client.invalidateQueries(systemQuery)])
  const retrying = useMutation({
    mutationFn: () => callApi(retryFailedTask, { params: { id } }),
    onSuccess: ({ is_started: isStarted }) =>
      toast({
        title: isStarted
          ? t('The task is being tried again.')
          : t('This task has already been done, or is no longer needed.'),
      }),
    onError: (cause) => toast({ title: errorDetail(cause, t('The task could not be started.')) }),
    onSettled: refresh,
  })
  const dismissing = useMutation({
    mutationFn: () => callApi(dismissFailedTask, { params: { id } }),
    onError: (cause) => toast({ title: errorDetail(cause, t('The task could not be removed.')) }),
    onSettled: refresh,
  })
  const about = subject === null ? taskLabel(queue) : `${taskLabel(queue)}: ${subject}`
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium wrap-anywhere">
          {taskLabel(queue)}
          {subject === null ? null : (
            <>
              {' · '}
              {path === null ? (
                <bdi>{subject}</bdi>
              ) : (
                <Link to={path} className="link">
                  <bdi>{subject}</bdi>
                </Link>
              )}
            </>
          )}
        </p>
        <p className="mt-0.5 text-label wrap-anywhere text-red-ink">{serverText(error)}</p>
        <p className="mt-0.5 text-caption text-ink-3">
          {t('{attempts, plural, one {# attempt} other {# attempts}}, the last on {time}', {
            attempts,
            time: formatDateTime(failedAt),
          })}
          {state === 'waiting' && task.next_attempt_at !== null
            ? ` · ${t('next attempt {time}', { time: formatDateTime(task.next_attempt_at) })}`
            : null}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {state === 'gave_up' ? (
          <StatusBadge status="failed" tone="red">
            {t('gave up')}
          </StatusBadge>
        ) : (
          <StatusBadge status="retrying" tone="yellow">
            {state === 'running' ? t('trying now') : t('failing')}
          </StatusBadge>
        )}
        {state === 'running' ? null : (
          <Button
            size="sm"
            icon={<RotateCcw size={14} strokeWidth={1.75} aria-hidden />}
            aria-label={t('Try again: {task}', { task: about })}
            isPending={retrying.isPending}
            onClick={() => retrying.mutate()}
          >
            {t('Try again')}
          </Button>
        )}
        {state === 'gave_up' ? (
          <Button
            size="sm"
            aria-label={t('Dismiss: {task}', { task: about })}
            isPending={dismissing.isPending}
            onClick={() => dismissing.mutate()}
          >
            {t('Dismiss')}
          </Button>
        ) : null}
      </div>
    </li>
  )
}
