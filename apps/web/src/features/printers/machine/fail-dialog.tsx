import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { COMMON_FAILURE_REASONS, failQueuedJob } from '@pegasus/contracts/print-queue/steps'
import { FieldSuggestions } from '@/components/field-suggestions.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { usePrinterRefresh } from '../printers.queries.ts'

const EMPTY = { reason: '', used_grams: '' }

function readFailure(form: FormText<keyof typeof EMPTY>, plateId: string | undefined) {
  if (form.reason.trim() === '') return { body: null, errors: { reason: 'Please say why it failed.' } }
  const grams = typedNumber(form.used_grams)
  const parsed = failQueuedJob.body.safeParse({
    reason: form.reason,
    ...(grams !== null && { used_grams: grams }),
    ...(plateId && { plate_id: plateId }),
  })
  return readResult(parsed, EMPTY)
}

/** Ends the print on a printer as failed, with the reason and the spoilt filament. */
export function FailDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const refresh = usePrinterRefresh()
  const { current_job: job, name } = printer
  const state = useNewForm({
    start: EMPTY,
    read: (form: FormText<keyof typeof EMPTY>) => readFailure(form, job?.plate_id),
    create: async (body) => {
      const after = await callApi(failQueuedJob, { params: { id: job?.id ?? '' }, body })
      refresh()
      toast({
        title: `The print on ${name} failed: ${body.reason}${after.status === 'pending' ? '. It is printed again' : ''}`,
      })
      onClose()
    },
  })
  const { bind, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel="Mark as failed"
      submitButton={{ variant: 'danger' }}
      onClose={onClose}
      title={`Failed on ${name}`}
      size="sm"
    >
      <p className="mb-4 text-label text-ink-2">
        <bdi>{job?.name}</bdi> <span className="code text-ink-3">{job?.label_code}</span>
      </p>
      <div className="flex flex-col gap-4">
        <Field label="Reason" isRequired error={errors.reason}>
          <FieldSuggestions options={COMMON_FAILURE_REASONS}>
            {(list) => <Input {...bind('reason')} maxLength={500} list={list} dir="auto" autoFocus />}
          </FieldSuggestions>
        </Field>
        <Field label="Filament spoilt" error={errors.used_grams} hint="Empty books what the printer reported">
          <Input {...bind('used_grams')} inputMode="decimal" autoComplete="off" unit="g" />
        </Field>
      </div>
    </FormDialog>
  )
}
