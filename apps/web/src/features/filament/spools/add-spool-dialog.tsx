import type { Spool } from '@pegasus/contracts/filament/spools'
import { createSpools, MAX_IDENTICAL_SPOOLS } from '@pegasus/contracts/filament/spool-changes'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { useSpoolRefresh } from '../filament.queries.ts'
import { KnownFilamentPicker } from './known-filament-picker.tsx'
import { SpoolFields } from './spool-fields.tsx'
import {
  EMPTY_SPOOL,
  formOf,
  type NewSpoolForm,
  OPENING_LABELS,
  readNewSpools,
  type SpoolForm,
} from './spool-form.ts'
import { t } from '@/lib/i18n/messages.ts'

interface AddSpoolDialogProps {
  /** The spool whose filament is copied. The new spool is full, and has no lot number, dates or notes. */
  like?: Spool | undefined
  onClose: () => void
}

/** Returns the values that all spools of the same filament share. */
const copyOf = (spool: Spool): SpoolForm => ({
  ...formOf(spool),
  lot_number: '',
  opened_at: '',
  dried_at: '',
  notes: '',
})

const startOf = (like: Spool | undefined): NewSpoolForm => ({ ...EMPTY_SPOOL, ...(like && copyOf(like)) })

export function AddSpoolDialog({ like, onClose }: AddSpoolDialogProps) {
  const refresh = useSpoolRefresh()
  const state = useNewForm({
    start: () => startOf(like),
    read: readNewSpools,
    create: async (body, headers) => {
      const added = await callApi(createSpools, { body, headers })
      toast({ title: describeAdded(added) })
      refresh()
      onClose()
    },
  })
  const { form, change, errors } = state
  const count = typedNumber(form.count) ?? 1
  return (
    <FormDialog
      state={state}
      submitLabel={count > 1 ? t('Add {count} spools', { count }) : t('Add spool')}
      onClose={onClose}
      title={t('Add Filament')}
      size="lg"
    >
      <div className="mb-4">
        <KnownFilamentPicker first={like} onPick={(spool) => change(copyOf(spool))} />
      </div>
      <SpoolFields form={form} change={change} errors={errors} isFolded>
        <Field
          label={OPENING_LABELS.remaining_grams}
          error={errors.remaining_grams}
          hint={t('Leave it empty for a full spool')}
        >
          <Input
            value={form.remaining_grams}
            inputMode="decimal"
            unit="g"
            placeholder={form.weight_grams}
            autoComplete="off"
            onChange={(event) => change({ remaining_grams: event.target.value })}
          />
        </Field>
        <Field
          label={OPENING_LABELS.count}
          error={errors.count}
          hint={t('How many identical spools (up to {MAX_IDENTICAL_SPOOLS})', { MAX_IDENTICAL_SPOOLS })}
        >
          <Input
            value={form.count}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => change({ count: event.target.value })}
          />
        </Field>
      </SpoolFields>
    </FormDialog>
  )
}

/** Text of the toast: `S-0153 added`, `4 spools added, S-0153 to S-0156`. */
function describeAdded(added: readonly Spool[]): string {
  const codes = [...added].sort((a, b) => a.number - b.number).map(({ label_code }) => label_code)
  return codes.length > 1
    ? t('{codes} spools added, {codes2} to {codes3}', {
        codes: codes.length,
        codes2: codes[0],
        codes3: codes.at(-1),
      })
    : t('{codes} added', { codes: codes[0] ?? t('The spool') })
}
