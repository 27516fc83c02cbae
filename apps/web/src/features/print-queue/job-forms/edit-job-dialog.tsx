import { getPrintJob, type PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { type UpdatePrintJobBody, updatePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import { useQueryClient } from '@tanstack/react-query'
import { Meanwhile, Theirs } from '@/components/edit-conflict.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { useMergedEdit } from '@/lib/forms/use-merged-edit.ts'
import { jobQuery, QUEUE_KEY } from '../print-queue.queries.ts'
import { isUnfinished } from '../shown-jobs.ts'
import { JobLine } from '../steps/job-line.tsx'
import { JobFields } from './job-fields.tsx'
import { formOf, JOB_LABELS, type JobField, readJobEdit } from './job-form.ts'

interface EditJobDialogProps {
  job: PrintJob
  onClose: () => void
}

/** A value as a sentence quotes it: a spool has an id that nobody reads. */
const wordsOf = (field: JobField, text: string): string =>
  field === 'filament_id' && text !== '' ? 'another spool' : text

/** What is told of a job. What somebody else saves meanwhile is shown, and nothing typed is lost. */
export function EditJobDialog({ job, onClose }: EditJobDialogProps) {
  const client = useQueryClient()
  const { id } = job
  const edit = useMergedEdit({
    thing: job,
    formOf,
    read: readJobEdit,
    save: ({ body, revision }: { body: UpdatePrintJobBody; revision: number }) =>
      callApi(updatePrintJob, { params: { id }, body, headers: { 'If-Match': `"${revision}"` } }),
    reread: () => callApi(getPrintJob, { params: { id } }),
    onSaved: (saved) => {
      if (saved) {
        toast({ title: `“${saved.inventory_item_name}” saved` })
        client.setQueryData(jobQuery(id).queryKey, saved)
        void client.invalidateQueries({ queryKey: [QUEUE_KEY] })
        void client.invalidateQueries({ queryKey: ['filament'] })
      }
      onClose()
    },
  })
  const { form, change, errors, merge } = edit
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Edit job"
      error={edit.failure}
      hasChanges={edit.hasChanges}
      onSubmit={() => void edit.submit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={edit.isPending}>
            {merge ? 'Save again' : 'Save'}
          </Button>
        </>
      }
    >
      {merge ? (
        <Meanwhile merge={merge} labels={JOB_LABELS} wordsOf={wordsOf} className="mb-4" />
      ) : (
        <JobLine job={job} />
      )}
      <JobFields
        form={form}
        change={change}
        errors={errors}
        knownSpool={job.filament_id ? { id: job.filament_id, label: job.filament_label ?? '' } : null}
        isNotesOnly={!isUnfinished(job.status)}
        hintOf={(field) =>
          merge?.conflicts.includes(field) ? (
            <Theirs text={wordsOf(field, merge.theirs[field])} onTake={() => edit.takeTheirs(field)} />
          ) : undefined
        }
      />
    </Dialog>
  )
}
