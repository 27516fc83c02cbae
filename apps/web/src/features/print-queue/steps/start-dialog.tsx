import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { SpoolSelect } from '../job-forms/spool-select.tsx'
import { matchesQuery } from '../print-queue.queries.ts'
import { type JobDialogProps, JobLine } from './job-line.tsx'
import { PlatesNote } from './plates-note.tsx'
import { canStartNow, printersOfPeople } from './use-start.ts'
import { type StartBody, useJobSteps } from './use-job-steps.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Says that this printer can start the job, or why it cannot. */
const noteOn = ({ reasons }: PrinterMatch): string =>
  reasons.length === 0 ? t('Can start now.') : reasons.map(({ message }) => serverText(message)).join(' ')

type StartField = 'printer' | 'filament_id'

/**
 * Starts a job on a printer and with a spool, which the user selects. `useStart` loads the printers before the dialog
 * opens. If the shop has no printer that people start, its name can be entered.
 */
export function StartDialog({ job, onClose }: JobDialogProps) {
  const steps = useJobSteps()
  const { data: matches = [] } = useQuery(matchesQuery(job.id))
  const printers = printersOfPeople(matches)
  const best = printers.find(canStartNow)?.printer.name ?? ''
  const state = useNewForm({
    start: { printer: job.printer ?? best, filament_id: job.filament_id ?? '' },
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
  const names = printers.map(({ printer }) => printer.name)
  const chosen = printers.find(({ printer }) => printer.name === form.printer)
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
        <Field label={t('Printer')} error={errors.printer} hint={chosen && noteOn(chosen)}>
          {names.length === 0 ? (
            <Input {...bind('printer')} maxLength={100} placeholder={t('Prusa MK4 · 02')} autoFocus />
          ) : (
            <Select {...bind('printer')} autoFocus>
              <option value="">{t('Without a printer')}</option>
              <Options of={job.printer && !names.includes(job.printer) ? [job.printer, ...names] : names} />
            </Select>
          )}
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
