import { isRunningPlate } from '@pegasus/contracts/print-queue/plates'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PrintFailureDialog } from '@/components/printer-dialogs/print-failure-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { jobPlatesQuery } from '../print-queue.queries.ts'
import { platesToCount } from './complete-form.ts'
import { type JobDialogProps, JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Marks a print as failed, with the reason and the wasted filament. If several plates are running, the person
 * chooses one.
 */
export function FailDialog({ job, onClose }: JobDialogProps) {
  const steps = useJobSteps()
  const plates = useQuery(jobPlatesQuery(job.id))
  const [chosenId, setChosenId] = useState<string>()
  const running = plates.data?.filter(({ state }) => isRunningPlate(state)) ?? []
  const isSeveral = running.length > 1
  const plateId = isSeveral ? (chosenId ?? running[0]?.id) : undefined
  const plate = running.find(({ id }) => id === plateId) ?? running[0]
  return (
    <PrintFailureDialog
      title={t('Job failed')}
      filamentHint={
        job.filament_id
          ? t('From {filament_label}; leave it empty to book nothing', {
              filament_label: job.filament_label ?? t('the spool'),
            })
          : null
      }
      plateId={plateId}
      lostPieces={plate?.is_printer_lost ? plate.pieces : undefined}
      onFail={(failure) => steps.fail(job, failure, { others: Math.max(0, running.length - 1) })}
      onClose={onClose}
    >
      <JobLine job={job} />
      {isSeveral ? (
        <Field label={t('Plate')} className="mb-4">
          <Select value={plateId ?? ''} onChange={({ target }) => setChosenId(target.value)}>
            <Options
              of={platesToCount(job, running, () => []).map(({ id, label }) => ({ value: id ?? '', label }))}
            />
          </Select>
        </Field>
      ) : null}
    </PrintFailureDialog>
  )
}
