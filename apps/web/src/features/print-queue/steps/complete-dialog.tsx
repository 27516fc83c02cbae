import type { PrinterSlot } from '@pegasus/contracts/print-queue/printers'
import { isRunningPlate } from '@pegasus/contracts/print-queue/plates'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CountFields } from '@/components/fields/count-fields.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { jobPlatesQuery, plateSlotsQuery } from '../print-queue.queries.ts'
import {
  type CompleteForm,
  formOfPlate,
  type PlateToCount,
  platesToCount,
  readCompletion,
  toolField,
} from './complete-form.ts'
import { type JobDialogProps, JobLine } from './job-line.tsx'
import { PlatesNote } from './plates-note.tsx'
import { useJobSteps } from './use-job-steps.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** Completes a job, or one of its plates. The plates and the slots of their printers are loaded first. */
export function CompleteDialog({ job, onClose }: JobDialogProps) {
  const isRunning = job.status === 'in_progress'
  const plates = useQuery({ ...jobPlatesQuery(job.id), enabled: isRunning })
  const running = plates.data?.filter(({ state }) => isRunningPlate(state)) ?? []
  const printed = running.filter(({ can_complete: canComplete }) => canComplete)
  const printerIds = [...new Set(running.flatMap(({ printer_id: id }) => id ?? []))]
  const printers = useQueries({ queries: printerIds.map((id) => plateSlotsQuery(id)) })
  const [failed] = [plates, ...printers].filter(({ isError }) => isError)
  const isLoading = isRunning && (!plates.data || printers.some(({ data }) => !data))
  if (failed || isLoading)
    return (
      <Dialog isOpen title={t('Complete job')} size="sm" onClose={onClose}>
        <JobLine job={job} />
        {failed ? (
          <QueryError message={t('The plates of the job could not be loaded.')} query={failed} />
        ) : (
          <SkeletonLines label={t('Loading the plates')} className="flex flex-col gap-4" />
        )}
      </Dialog>
    )
  const slotsOf = (printerId: string): readonly PrinterSlot[] =>
    printers[printerIds.indexOf(printerId)]?.data?.slots ?? []
  const counted = platesToCount(job, printed, slotsOf)
  return (
    <CompleteFormDialog
      job={job}
      plates={counted}
      others={Math.max(0, running.length - 1)}
      onClose={onClose}
    />
  )
}

interface CompleteFormDialogProps extends JobDialogProps {
  plates: readonly [PlateToCount, ...PlateToCount[]]
  /** The number of running plates that keep running when one is completed. */
  others: number
}

/**
 * The form that completes a plate. All pieces are counted as good unless some are entered as rejected, or unless the
 * plate carries a note. Good pieces go into stock.
 */
function CompleteFormDialog({ job, plates: loaded, others, onClose }: CompleteFormDialogProps) {
  const steps = useJobSteps()
  // A plate that somebody else completes in the meantime stays in the form, and the server then refuses it with a
  // message.
  const [plates] = useState(loaded)
  const chosenOf = (form: CompleteForm) => plates.find(({ id }) => id === form.plate_id) ?? plates[0]
  const state = useNewForm({
    start: (): CompleteForm => formOfPlate(plates[0]),
    read: (form: CompleteForm) => readCompletion(form, chosenOf(form)),
    create: async (body, headers) => {
      await steps.complete(job, body ?? {}, { others, headers })
      onClose()
    },
  })
  const { form, bind, change, errors } = state
  const plate = chosenOf(form)
  const good = typedNumber(form.good_quantity) ?? Number.NaN
  return (
    <FormDialog
      state={state}
      submitLabel={good >= 0 ? t('Complete with {good} good', { good: formatCount(good) }) : t('Complete')}
      submitButton={{ autoFocus: plate.note === null }}
      onClose={onClose}
      title={job.pieces_per_plate === null ? t('Complete job') : t('Complete plate')}
      size="sm"
    >
      <JobLine job={job} />
      <PlatesNote job={job} className="mb-4" />
      <div className="grid grid-cols-2 items-start gap-4">
        {plates.length > 1 ? (
          <Field label={t('Plate')} error={errors.plate_id} className="col-span-full">
            <Select
              value={form.plate_id}
              onChange={({ target }) =>
                change(formOfPlate(plates.find(({ id }) => id === target.value) ?? plates[0]))
              }
            >
              <Options of={plates.map(({ id, label }) => ({ value: id ?? '', label }))} />
            </Select>
          </Field>
        ) : null}
        {plate.note === null ? null : <p className="col-span-full">{serverText(plate.note)}</p>}
        <CountFields
          state={state}
          pieces={plate.pieces}
          goodHint={job.inventory_item_id ? t('Into stock') : t('Not linked to an item; stock won’t change')}
          rejectedHint={t('Of {pieces, plural, one {# piece} other {# pieces}}', { pieces: plate.pieces })}
        />
        <UsedFields state={state} plate={plate} />
        <Field
          label={t('Print time')}
          error={errors.print_minutes}
          hint={t('Leave it empty if it was not measured')}
        >
          <Input {...bind('print_minutes')} inputMode="numeric" autoComplete="off" unit={t('min')} />
        </Field>
        {plate.hasBed ? (
          <Checkbox
            label={t('The plate is off the bed')}
            hint={t('Otherwise the printer waits until it is cleared')}
            className="col-span-full"
            checked={form.cleared !== ''}
            onChange={({ target }) => change({ cleared: target.checked ? 'yes' : '' })}
          />
        ) : null}
      </div>
    </FormDialog>
  )
}

interface UsedFieldsProps {
  state: {
    form: CompleteForm
    bind: (field: keyof CompleteForm) => Pick<React.ComponentProps<typeof Input>, 'value' | 'onChange'>
    errors: { [field in keyof CompleteForm]?: string | undefined }
  }
  plate: PlateToCount
}

/**
 * Asks for the filament of the plate. It comes from the selected spool, or from the slots of a printer with several
 * slots.
 */
function UsedFields({ state: { bind, errors }, plate }: UsedFieldsProps) {
  const { slots, spool } = plate
  if (slots.length > 0)
    return slots.map((slot, n) => (
      <Field
        key={slot.slot}
        label={t('Filament of slot {slot}', { slot: slot.slot })}
        error={n === 0 ? errors.used_grams : undefined}
        hint={
          [slot.filament_label, slot.material, slot.color].filter(Boolean).join(' ') || t('Nothing loaded')
        }
      >
        <Input {...bind(toolField(slot))} inputMode="decimal" autoComplete="off" unit="g" />
      </Field>
    ))
  if (spool === null) return null
  return (
    <Field
      label={t('Filament used')}
      error={errors.used_grams}
      hint={t('From {spool}; if empty, nothing is booked', { spool })}
    >
      <Input {...bind('used_grams')} inputMode="decimal" autoComplete="off" unit="g" />
    </Field>
  )
}
