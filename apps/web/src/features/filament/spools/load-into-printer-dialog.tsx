import type { Spool } from '@pegasus/contracts/filament/spools'
import {
  type Printer,
  listPrinters,
  loadPrinter,
  loadPrinterBody,
} from '@pegasus/contracts/print-queue/printers'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { apiPageQuery } from '@/lib/http/api-queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { useSpoolRefresh } from '../filament.queries.ts'

/** The place of a spool in a printer, as the form holds it: the id of the printer and the slot. */
type LoadField = 'printer' | 'slot'

interface Loading {
  printerId: string
  body: { slot?: number | undefined; filament_id: string | null }
}

const printersQuery = apiPageQuery(['printers', 'to-load'], listPrinters, { query: { limit: 200 } })

/** Returns the slot that a new spool goes into: the first empty one, otherwise the first one. */
const freeSlot = (printer: Printer | undefined): string =>
  String((printer?.slots.find(({ filament_id: id }) => id === null) ?? printer?.slots[0])?.slot ?? 1)

const slotName = ({ slot, material, color }: Printer['slots'][number]): string =>
  `${slot}: ${[material, color].filter(Boolean).join(' ') || t('empty')}`

interface LoadIntoPrinterDialogProps {
  spool: Spool
  onClose: () => void
}

/** Loads the spool into a slot of a printer. A spool that is loaded in another printer is moved. */
export function LoadIntoPrinterDialog({ spool, onClose }: LoadIntoPrinterDialogProps) {
  const client = useQueryClient()
  const refresh = useSpoolRefresh()
  const query = useQuery(printersQuery)
  const printers = query.data?.items ?? []
  const current = printers.find(({ slots }) => slots.some(({ filament_id: id }) => id === spool.id))
  const printerOf = (id: string) => printers.find((each) => each.id === id)

  const read = ({ printer, slot }: FormText<LoadField>): ReadResult<Loading, LoadField> => {
    const chosen = printerOf(printer)
    if (!chosen) return { body: null, errors: { printer: t('Please choose a printer.') } }
    const number = Number(slot === '' ? freeSlot(chosen) : slot)
    const parsed = readResult(loadPrinterBody.safeParse({ slot: number, filament_id: spool.id }), {
      printer,
      slot,
    })
    return parsed.body === null ? parsed : { ...parsed, body: { printerId: chosen.id, body: parsed.body } }
  }

  const state = useNewForm({
    start: { printer: '', slot: '' },
    read,
    create: async ({ printerId, body }: Loading) => {
      const after = await callApi(loadPrinter, { params: { id: printerId }, body })
      refresh()
      for (const key of ['printers', 'print-queue', 'inventory'])
        void client.invalidateQueries({ queryKey: [key] })
      toast({
        title: t('{filament_label} is loaded on {name}', {
          filament_label: spool.label_code,
          name: after.name,
        }),
      })
      onClose()
    },
  })
  const { form, bind, change, errors } = state
  const chosen = printerOf(form.printer)
  const slot = form.slot === '' ? freeSlot(chosen) : form.slot
  const replaced = chosen?.slots.find((each) => String(each.slot) === slot)
  const isReplacing = replaced?.filament_id != null && replaced.filament_id !== spool.id
  const isEmpty = query.isSuccess && printers.length === 0
  return (
    <FormDialog
      state={state}
      submitLabel={t('Load')}
      onClose={onClose}
      title={t('Load {name}', { name: spool.label_code })}
      size="sm"
    >
      <div className="flex flex-col gap-4">
        {query.isError ? (
          <AlertBox tone="error">
            {errorMessage(query.error, t('The printers could not be loaded.'))}
          </AlertBox>
        ) : null}
        {isEmpty ? <AlertBox tone="note">{t('There is no printer yet.')}</AlertBox> : null}
        <Field
          label={t('Printer')}
          isRequired
          error={errors.printer}
          hint={current ? t('Now in {name}. Loading moves it.', { name: current.name }) : undefined}
        >
          <Select
            value={form.printer}
            onChange={({ target }) => change({ printer: target.value, slot: '' })}
            autoFocus
            disabled={printers.length === 0}
          >
            <option value="">{query.isPending ? t('Loading the printers') : t('Choose a printer')}</option>
            <Options of={printers.map(({ id, name }) => ({ value: id, label: name }))} />
          </Select>
        </Field>
        {chosen && chosen.slots.length > 1 ? (
          <Field label={t('Slot')} error={errors.slot}>
            <Select {...bind('slot')} value={slot}>
              <Options
                of={chosen.slots.map((each) => ({ value: String(each.slot), label: slotName(each) }))}
              />
            </Select>
          </Field>
        ) : null}
        {isReplacing ? (
          <p className="text-label text-ink-2">
            {t('{filament_label} leaves this slot.', {
              filament_label: replaced.filament_label ?? t('The spool'),
            })}
          </p>
        ) : null}
      </div>
    </FormDialog>
  )
}
