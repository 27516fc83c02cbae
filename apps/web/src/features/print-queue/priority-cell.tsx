import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { updatePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { InlineEdit } from '@/components/kit/inline-edit.tsx'
import { saveWithUndo } from '@/components/kit/save-with-undo.ts'
import { PriorityBadge } from '@/components/ui/display/badge.tsx'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { QUEUE_MUTATION, refreshQueue, showOptimisticJob } from './optimistic-queue.ts'
import { formOf, readJobEdit } from './job-forms/job-form.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The priority of an unfinished job, editable in the row. Another priority moves the job in the queue. */
export function PriorityCell({ job }: { job: PrintJob }) {
  const client = useQueryClient()
  const change = useMutation({
    ...QUEUE_MUTATION,
    mutationFn: ({ revision, priority }: Pick<PrintJob, 'revision' | 'priority'>) =>
      callApi(updatePrintJob, { params: { id: job.id }, body: { priority }, headers: ifMatch(revision) }),
    onSuccess: async (saved) => void (await showOptimisticJob(client, saved)),
    onSettled: () => refreshQueue(client),
  })
  const read = (text: string) => readJobEdit({ ...formOf(job), priority: text }, ['priority'])
  return (
    <InlineEdit
      label={t('Priority of {inventory_item_name}', { inventory_item_name: job.inventory_item_name })}
      value={String(job.priority)}
      check={(text) => read(text).errors?.priority ?? null}
      onSave={async (text) => {
        const priority = read(text).body?.priority ?? job.priority
        await saveWithUndo({
          write: (revision, body: { priority: number }) => change.mutateAsync({ revision, ...body }),
          revision: job.revision,
          body: { priority },
          before: { priority: job.priority },
          title: t('Priority of “{inventory_item_name}” saved, P{priority} → P{priority2}', {
            inventory_item_name: job.inventory_item_name,
            priority: job.priority,
            priority2: priority,
          }),
        })
      }}
      input={{ inputMode: 'numeric', maxLength: 2 }}
    >
      <PriorityBadge priority={job.priority} />
    </InlineEdit>
  )
}
