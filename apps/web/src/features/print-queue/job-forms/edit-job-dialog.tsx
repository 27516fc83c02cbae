import { getPrintJob, type PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { updatePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import { useQueryClient } from '@tanstack/react-query'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { editCalls } from '@/lib/http/api.ts'
import { jobQuery, QUEUE_KEY } from '../print-queue.queries.ts'
import { isUnfinished } from '../optimistic-queue.ts'
import { JobLine } from '../steps/job-line.tsx'
import { JobFields } from './job-fields.tsx'
import { JOB_EDIT } from './job-form.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Edits a job. If the job is finished, only its notes can be edited. */
export function EditJobDialog({ job, onClose }: { job: PrintJob; onClose: () => void }) {
  const client = useQueryClient()
  const { id } = job
  return (
    <EditDialog
      title={t('Edit job')}
      thing={job}
      {...JOB_EDIT}
      {...editCalls(getPrintJob, updatePrintJob, { id })}
      savedText={(saved) => t('“{name}” saved', { name: saved.inventory_item_name })}
      onSaved={(saved) => {
        client.setQueryData(jobQuery(id).queryKey, saved)
        void client.invalidateQueries({ queryKey: [QUEUE_KEY] })
        void client.invalidateQueries({ queryKey: ['filament'] })
      }}
      onClose={onClose}
    >
      {({ form, change, errors, hintOf, merge }) => (
        <>
          {merge ? null : <JobLine job={job} />}
          <JobFields
            form={form}
            change={change}
            errors={errors}
            job={job}
            knownSpool={job.filament_id ? { id: job.filament_id, label: job.filament_label ?? '' } : null}
            isNotesOnly={!isUnfinished(job.status)}
            hintOf={hintOf}
          />
        </>
      )}
    </EditDialog>
  )
}
