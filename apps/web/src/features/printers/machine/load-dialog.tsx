import {
  loadPrinter,
  loadPrinterBody,
  type LoadPrinterBody,
  type Printer,
} from '@pegasus/contracts/print-queue/printers'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { printerOfSpoolQuery } from '@/lib/http/printer-of-spool.queries.ts'
import { spoolNowInSlot } from '@/lib/http/spool-now-in-slot.ts'
import { filamentName, spoolOption } from '../printer-labels.ts'
import { spoolChoicesQuery, usePrinterRefresh } from '../printers.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

type LoadField = 'slot' | 'filament_id'

function readLoading(form: FormText<LoadField>): ReadResult<LoadPrinterBody, LoadField> {
  const { slot, filament_id } = form
  if (filament_id === '') return { body: null, errors: { filament_id: t('Please choose a spool.') } }
  const parsed = loadPrinterBody.safeParse({ slot: Number(slot), filament_id })
  return readResult(parsed, form)
}

interface LoadDialogProps {
  printer: Printer
  slot?: number
  onClose: () => void
}

/**
 * Loads a spool into a slot. A spool that is loaded in another printer is moved here. If somebody else has changed the
 * slot since the dialog was opened, a message says so, and the person can load the spool anyway.
 */
export function LoadDialog({ printer, slot, onClose }: LoadDialogProps) {
  const refresh = usePrinterRefresh()
  const spools = useQuery(spoolChoicesQuery)
  const empty = printer.slots.find(({ filament_id: id }) => id === null) ?? printer.slots[0]
  const [seen, setSeen] = useState(() => new Map(printer.slots.map((each) => [each.slot, each.filament_id])))
  const [changedSlot, setChangedSlot] = useState<number | null>(null)
  const state = useNewForm({
    start: { slot: String(slot ?? empty?.slot ?? 1), filament_id: '' },
    read: readLoading,
    create: async (body) => {
      const replaces = seen.get(body.slot ?? 1)
      const after = await callApi(loadPrinter, {
        params: { id: printer.id },
        body: { ...body, ...(replaces !== undefined && { replaces }) },
      }).catch((error: unknown) => {
        const current = spoolNowInSlot(error)
        if (current !== undefined) {
          setSeen(new Map(seen).set(body.slot ?? 1, current))
          setChangedSlot(body.slot ?? 1)
          refresh()
        }
        throw error
      })
      refresh(after)
      const loaded = after.slots.find((each) => each.slot === body.slot)
      toast({
        title: t('{filament_label} is loaded on {name}', {
          filament_label: loaded?.filament_label ?? t('The spool'),
          name: after.name,
        }),
      })
      onClose()
    },
  })
  const { bind, errors } = state
  const spoolId = state.form.filament_id
  const other = useQuery({ ...printerOfSpoolQuery(spoolId), enabled: spoolId !== '' }).data?.items[0]
  return (
    <FormDialog
      state={state}
      submitLabel={String(changedSlot) === state.form.slot ? t('Load anyway') : t('Load')}
      onClose={onClose}
      title={t('Load {name}', { name: printer.name })}
      size="sm"
    >
      <div className="flex flex-col gap-4">
        <Field label={t('Slot')} error={errors.slot}>
          <Select {...bind('slot')}>
            <Options
              of={printer.slots.map((each) => ({
                value: String(each.slot),
                label: `${each.slot}: ${filamentName(each) ?? t('empty')}`,
              }))}
            />
          </Select>
        </Field>
        <Field
          label={t('Spool')}
          isRequired
          error={errors.filament_id}
          hint={
            other && other.id !== printer.id
              ? t('Now in {name}. Loading moves it.', { name: other.name })
              : t('Or scan the spool, then the printer, with Scan')
          }
        >
          <Select {...bind('filament_id')}>
            <option value="">{spools.isPending ? t('Loading the spools') : t('Choose a spool')}</option>
            <Options of={(spools.data?.items ?? []).map(spoolOption)} />
          </Select>
        </Field>
      </div>
    </FormDialog>
  )
}
