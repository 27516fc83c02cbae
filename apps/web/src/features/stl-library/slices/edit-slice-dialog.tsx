import { type Slice, type UpdateSliceBody, updateSliceBody } from '@pegasus/contracts/slices/slices'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { useUpdateSlice } from './slices.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

type SliceField = 'printer_model' | 'nozzle_mm' | 'material'

const readSlice = (form: FormText<SliceField>): ReadResult<UpdateSliceBody, SliceField> =>
  readResult(updateSliceBody.safeParse({ ...form, nozzle_mm: typedNumber(form.nozzle_mm) }), form)

/** Corrects the printer, nozzle and material of a sliced file, which decide on the printers and jobs that use it. */
export function EditSliceDialog({
  slice,
  title,
  onClose,
}: {
  slice: Slice
  title: string
  onClose: () => void
}) {
  const update = useUpdateSlice()
  const state = useNewForm({
    start: {
      printer_model: slice.printer_model ?? '',
      nozzle_mm: numberText(slice.nozzle_mm),
      material: slice.material ?? '',
    },
    read: readSlice,
    create: async (change) => {
      await update.mutateAsync({ slice, change })
      onClose()
    },
  })
  const { bind, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel={t('Save')}
      onClose={onClose}
      title={t('Edit {title}', { title })}
      description={t('Jobs use the file only for this printer, nozzle and material.')}
      size="sm"
    >
      <div className="flex flex-col gap-4">
        <Field label={t('Printer model')} error={errors.printer_model}>
          <Input {...bind('printer_model')} />
        </Field>
        <Field label={t('Nozzle')} error={errors.nozzle_mm}>
          <Input {...bind('nozzle_mm')} inputMode="decimal" unit={t('mm')} placeholder="0.4" />
        </Field>
        <Field label={t('Material')} error={errors.material}>
          <Input {...bind('material')} />
        </Field>
      </div>
    </FormDialog>
  )
}
