import type { Spool } from '@pegasus/contracts/filament/spools'
import { createSpools, MAX_IDENTICAL_SPOOLS } from '@pegasus/contracts/filament/spool-changes'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { differing, errorsAtFields, type FieldErrors } from '@/lib/forms/form-merge.ts'
import { useRetryKey } from '@/lib/http/use-retry-key.ts'
import { useSpoolRefresh } from '../filament.queries.ts'
import { SpoolFields } from './spool-fields.tsx'
import {
  EMPTY_SPOOL,
  formOf,
  type NewSpoolField,
  type NewSpoolForm,
  OPENING_LABELS,
  readNewSpools,
} from './spool-form.ts'

interface AddSpoolDialogProps {
  /** A spool whose filament is bought again; the new one is full and has a life of its own. */
  like?: Spool | undefined
  onClose: () => void
}

const startOf = (like: Spool | undefined): NewSpoolForm => ({
  ...EMPTY_SPOOL,
  ...(like && { ...formOf(like), lot_number: '', opened_at: '', dried_at: '', notes: '' }),
})

const isKnownField = (name: string): name is NewSpoolField => name in EMPTY_SPOOL

/** One spool or a box of them. */
export function AddSpoolDialog({ like, onClose }: AddSpoolDialogProps) {
  const [start] = useState(() => startOf(like))
  const [form, setForm] = useState(start)
  const [errors, setErrors] = useState<FieldErrors<NewSpoolField>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const retryKey = useRetryKey()
  const refresh = useSpoolRefresh()

  const change = (part: Partial<NewSpoolForm>) => {
    setForm((now) => ({ ...now, ...part }))
    setErrors((now) => ({
      ...now,
      ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])),
    }))
  }
  const submit = async () => {
    const { body, errors: found } = readNewSpools(form)
    setErrors(found ?? {})
    setFailure(null)
    if (!body) return
    setIsPending(true)
    try {
      const added = await callApi(createSpools, { body, headers: retryKey(body) })
      toast({ title: addedWords(added) })
      refresh()
      onClose()
    } catch (error) {
      if (error instanceof ApiError) setErrors(errorsAtFields(error.errors, isKnownField))
      setFailure(errorMessage(error, 'That did not work. Please try again.'))
    } finally {
      setIsPending(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add Filament"
      size="lg"
      error={failure}
      hasChanges={differing(start, form).length > 0}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {Number(form.count) > 1 ? `Add ${Number(form.count)} spools` : 'Add spool'}
          </Button>
        </>
      }
    >
      <SpoolFields form={form} change={change} errors={errors}>
        <Field
          label={OPENING_LABELS.remaining_grams}
          error={errors.remaining_grams}
          hint="Leave it empty for a full spool"
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
          hint={`So many identical ones, ${MAX_IDENTICAL_SPOOLS} at most`}
        >
          <Input
            value={form.count}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => change({ count: event.target.value })}
          />
        </Field>
      </SpoolFields>
    </Dialog>
  )
}

/** `S-0153 added`, `4 spools added, S-0153 to S-0156` */
function addedWords(added: readonly Spool[]): string {
  const codes = [...added].sort((a, b) => a.number - b.number).map(({ label_code }) => label_code)
  return codes.length > 1
    ? `${codes.length} spools added, ${codes[0]} to ${codes.at(-1)}`
    : `${codes[0] ?? 'The spool'} added`
}
