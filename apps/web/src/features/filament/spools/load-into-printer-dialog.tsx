import type { Spool } from '@pegasus/contracts/filament/spools'
import {
  type Printer,
  getPrinter,
  listPrinters,
  loadPrinter,
  type LoadPrinterBody,
  loadPrinterBody,
} from '@pegasus/contracts/print-queue/printers'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EntityPicker, type PickedEntity, usePickerSearch } from '@/components/kit/entity-picker.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { cx } from '@/lib/class-names.ts'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { apiPageQuery } from '@/lib/http/api-queries.ts'
import { printerOfSpoolQuery } from '@/lib/http/printer-of-spool.queries.ts'
import { spoolNowInSlot } from '@/lib/http/spool-now-in-slot.ts'
import { rich, t } from '@/lib/i18n/messages.ts'
import { useSpoolRefresh } from '../filament.queries.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/** The place of a spool in a printer, as the form holds it: the id of the printer and the slot. */
type LoadField = 'printer' | 'slot'

interface Loading {
  printerId: string
  body: LoadPrinterBody
}

/**
 * Returns the first printers by name, or the printers that match a search. The search finds every printer of a large
 * floor.
 */
const printersQuery = (search: string) =>
  apiPageQuery(['printers', 'to-load', { search }], listPrinters, {
    query: { sort: 'name', limit: 20, ...(search && { search }) },
  })

interface PickedPrinter extends PickedEntity {
  printer: Printer
}

const toPicked = (printer: Printer): PickedPrinter => ({
  id: printer.id,
  name: printer.name,
  caption: joinFacts([printer.label_code, printer.model, printer.location]),
  picture: printer.photo_path,
  printer,
})

/** Returns the slot that a new spool goes into: the first empty one, otherwise the first one. */
const freeSlot = (printer: Printer | null): string =>
  String((printer?.slots.find(({ filament_id: id }) => id === null) ?? printer?.slots[0])?.slot ?? 1)

const slotName = ({ slot, material, color }: Printer['slots'][number]): string =>
  `${slot}: ${[material, color].filter(Boolean).join(' ') || t('empty')}`

interface LoadIntoPrinterDialogProps {
  spool: Spool
  onClose: () => void
}

/**
 * Loads the spool into a slot of a printer. A spool that is loaded in another printer is moved. If somebody else has
 * changed the slot in the meantime, a message says so, and the person can load the spool anyway.
 */
export function LoadIntoPrinterDialog({ spool, onClose }: LoadIntoPrinterDialogProps) {
  const client = useQueryClient()
  const refresh = useSpoolRefresh()
  const picker = usePickerSearch()
  const { search } = picker
  const query = useQuery({ ...printersQuery(search), placeholderData: keepPreviousData })
  const printers = query.data?.items ?? []
  const current = useQuery(printerOfSpoolQuery(spool.id)).data?.items[0]
  const [chosen, setChosen] = useState<Printer | null>(null)
  const [hasChanged, setHasChanged] = useState(false)

  const read = ({ printer, slot }: FormText<LoadField>): ReadResult<Loading, LoadField> => {
    if (!chosen) return { body: null, errors: { printer: t('Please choose a printer.') } }
    const number = Number(slot === '' ? freeSlot(chosen) : slot)
    const replaces = chosen.slots.find((each) => each.slot === number)?.filament_id
    const parsed = readResult(loadPrinterBody.safeParse({ slot: number, filament_id: spool.id, replaces }), {
      printer,
      slot,
    })
    return parsed.body === null ? parsed : { ...parsed, body: { printerId: chosen.id, body: parsed.body } }
  }

  const state = useNewForm({
    start: { printer: '', slot: '' },
    read,
    create: async ({ printerId, body }: Loading) => {
      const params = { id: printerId }
      const after = await callApi(loadPrinter, { params, body }).catch(async (error: unknown) => {
        if (spoolNowInSlot(error) !== undefined) {
          setChosen(await callApi(getPrinter, { params }))
          // Keep the slot that the person has seen, although the printer has changed.
          change({ slot: String(body.slot) })
          setHasChanged(true)
        }
        throw error
      })
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
  const choose = (printer: Printer | null) => {
    setHasChanged(false)
    setChosen(printer)
    change({ printer: printer?.id ?? '', slot: '' })
  }
  const slot = form.slot === '' ? freeSlot(chosen) : form.slot
  const replaced = chosen?.slots.find((each) => String(each.slot) === slot)
  const isReplacing = replaced?.filament_id != null && replaced.filament_id !== spool.id
  return (
    <FormDialog
      state={state}
      submitLabel={hasChanged ? t('Load anyway') : t('Load')}
      onClose={onClose}
      title={t('Load {name}', { name: spool.label_code })}
      size="sm"
    >
      {/* The dialog is as high as the open list of printers until one is chosen. */}
      <div className={cx('flex flex-col gap-4', !chosen && 'min-h-92')}>
        {query.isError ? (
          <AlertBox tone="error">
            {errorMessage(query.error, t('The printers could not be loaded.'))}
          </AlertBox>
        ) : null}
        <Field
          label={t('Printer')}
          isRequired
          error={errors.printer}
          hint={current ? t('Now in {name}. Loading moves it.', { name: current.name }) : undefined}
        >
          <EntityPicker
            picker={picker}
            chosen={chosen && toPicked(chosen)}
            onChange={(picked: PickedPrinter | null) => choose(picked?.printer ?? null)}
            groups={[{ things: printers.map(toPicked) }]}
            isFound={query.isSuccess && !query.isPlaceholderData}
            nothingFound={
              search === '' ? (
                t('There is no printer yet.')
              ) : (
                <>
                  {rich('No printer matches {search}.', {
                    search: <bdi className="font-medium">“{search}”</bdi>,
                  })}
                </>
              )
            }
            findFirst={async (text) => {
              const [first] = (await client.fetchQuery(printersQuery(text))).items
              return first && toPicked(first)
            }}
            placeholder={t('Find a printer by name, model or code')}
            listLabel={t('Printers found')}
            clearLabel={t('Choose another printer')}
            isFirst
          />
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
