import { MATERIAL_DENSITIES } from '@pegasus/contracts/filament/filament-weight'
import type { Spool } from '@pegasus/contracts/filament/spools'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { useId } from 'react'
import { type FormFieldsProps, formFields } from '@/components/kit/form-fields.ts'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { JOB_LABELS, type JobForm, STRICTNESS_OPTIONS } from './job-form.ts'
import { SliceField } from './slice-field.tsx'
import { SpoolSelect } from './spool-select.tsx'
import { t } from '@/lib/i18n/messages.ts'

const PRIORITIES = [1, 2, 3, 4, 5]

interface JobFieldsProps extends FormFieldsProps<keyof JobForm> {
  /** The job being edited. Its sliced files are offered for choice. */
  job?: PrintJob
  /** The spool that the job already has. */
  knownSpool?: { id: string; label: string } | null
  onSpool?: (spool: Spool | null) => void
  /** True if only the notes can be edited, because the job is finished. */
  isNotesOnly?: boolean
}

/** The input fields of a print job. */
export function JobFields(props: JobFieldsProps) {
  const { form, change, errors, hintOf, job, knownSpool, onSpool, isNotesOnly = false } = props
  const materialsId = useId()
  const prioritiesId = useId()
  const { field, input, textarea } = formFields({ form, change, labels: JOB_LABELS, errors, hintOf })
  const notes = (
    <Field {...field('notes')} className="col-span-full">
      <Textarea {...textarea('notes')} />
    </Field>
  )
  if (isNotesOnly) return notes
  return (
    <div className="grid grid-cols-6 items-start gap-x-4 gap-y-3">
      <Field {...field('quantity')} isRequired className="col-span-2 phone:col-span-3">
        <Input {...input('quantity')} inputMode="numeric" />
      </Field>
      <Field {...field('priority', t('1 is the highest'))} isRequired className="col-span-2 phone:col-span-3">
        <Input {...input('priority')} inputMode="numeric" list={prioritiesId} />
      </Field>
      <Field {...field('due_at')} className="col-span-2 phone:col-span-full">
        <Input {...input('due_at')} type="date" />
      </Field>
      <Field {...field('material')} className="col-span-3">
        <Input {...input('material')} maxLength={64} list={materialsId} placeholder={t('Any')} />
      </Field>
      <Field {...field('color')} className="col-span-3">
        <Input {...input('color')} maxLength={64} placeholder={t('Any')} />
      </Field>
      <Field {...field('filament_id')} className="col-span-full">
        <SpoolSelect
          value={form.filament_id}
          material={form.material}
          known={knownSpool}
          onChange={(spool) => {
            // The spool determines the material and the color, so it replaces typed values.
            change({
              filament_id: spool?.id ?? '',
              ...(spool && { material: spool.material, color: spool.color }),
            })
            onSpool?.(spool)
          }}
        />
      </Field>
      {job ? (
        <SliceField
          {...field('slice_id')}
          job={job}
          value={form.slice_id}
          onChange={(sliceId) => change({ slice_id: sliceId })}
        />
      ) : null}
      <Field {...field('pieces_per_plate', t('All at once if empty'))} className="col-span-3">
        <Input {...input('pieces_per_plate')} inputMode="numeric" />
      </Field>
      <Field {...field('expected_rejects', t('Printed besides'))} className="col-span-3">
        <Input {...input('expected_rejects')} inputMode="numeric" />
      </Field>
      <Field {...field('match_strictness')} className="col-span-full">
        <Select
          value={form.match_strictness}
          onChange={({ target }) => change({ match_strictness: target.value })}
        >
          <Options of={STRICTNESS_OPTIONS} />
        </Select>
      </Field>
      <Field
        {...field('estimated_grams', t('From the item’s weight or the sliced file if empty'))}
        className="col-span-3"
      >
        <Input {...input('estimated_grams')} inputMode="decimal" unit="g" />
      </Field>
      <Field {...field('estimated_minutes')} className="col-span-3">
        <Input {...input('estimated_minutes')} inputMode="numeric" unit={t('min')} />
      </Field>
      {notes}
      <datalist id={materialsId}>
        {Object.keys(MATERIAL_DENSITIES).map((material) => (
          <option key={material} value={material} />
        ))}
      </datalist>
      <datalist id={prioritiesId}>
        {PRIORITIES.map((priority) => (
          <option key={priority} value={priority} />
        ))}
      </datalist>
    </div>
  )
}
