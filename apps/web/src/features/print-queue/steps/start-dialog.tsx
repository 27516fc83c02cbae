import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { SpoolSelect } from '../job-forms/spool-select.tsx'
import { type JobDialogProps, JobLine } from './job-line.tsx'
import { PlatesNote } from './plates-note.tsx'
import { type StartBody, useJobSteps } from './use-job-steps.ts'
import { t } from '@/lib/i18n/messages.ts'

type StartField = 'printer' | 'filament_id'

/** Starts a job on a printer and with a spool, which the user selects. */
export function StartDialog({ job, onClose }: JobDialogProps) {
  const steps = useJobSteps()
  const state = useNewForm({
    start: { printer: job.printer ?? '', filament_id: job.filament_id ?? '' },
    read: ({ printer, filament_id }: FormText<StartField>): ReadResult<StartBody, StartField> => ({
      body: { printer, ...(filament_id !== '' && { filament_id }) },
      errors: null,
    }),
    create: async (body) => {
      await steps.startOn(job, body)
      onClose()
    },
  })
  const { form, change, bind, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel={t('Start')}
      onClose={onClose}
      title={t('Start on a printer')}
      size="sm"
    >
      <JobLine job={job} />
      <PlatesNote job={job} className="mb-4" />
      <div className="flex flex-col gap-4">
        <Field label={t('Printer')} error={errors.printer}>
          <Input {...bind('printer')} maxLength={100} placeholder={t('Prusa MK4 · 02')} autoFocus />
        </Field>
        <Field
          label={t('Spool')}
          error={errors.filament_id}
          hint={
            form.filament_id === ''
              ? t('Booked on the matching spool in the printer. If none is loaded, nothing is booked.')
              : t('Counts as loaded in the printer from now on')
          }
        >
          <SpoolSelect
            value={form.filament_id}
            material={job.material ?? ''}
            known={job.filament_id && { id: job.filament_id, label: job.filament_label ?? '' }}
            onChange={(spool) => change({ filament_id: spool?.id ?? '' })}
          />
        </Field>
      </div>
    </FormDialog>
  )
}
