import {
  deletePrinter,
  loadPrinter,
  type Printer,
  restorePrinter,
  resumePrinter,
  testPrinter,
} from '@pegasus/contracts/print-queue/printers'
import { pausePrintJob, resumePrintJob, startPrintJob } from '@pegasus/contracts/print-queue/steps'
import { useMutation } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { withParams } from '@/lib/browser/address-state.ts'
import { callApi } from '@/lib/http/api.ts'
import { useRetriedSend } from '@/lib/http/use-retry-key.ts'
import { canLoadNow, findUnsuppliedPlate, unsuppliedText } from '@/components/production/unsupplied-grams.ts'
import { trashTexts, useTrashMutations } from '@/components/use-trash-mutations.ts'
import { usePrinterRefresh } from '../printers.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** The one-click actions of a printer. Each success shows a toast, with Undo if the action can be undone. */
export function usePrinterMutations() {
  const refresh = usePrinterRefresh()
  const [, setParams] = useSearchParams()
  const handlers = { onError: toastError, onSettled: () => refresh() }

  const { remove, restore } = useTrashMutations<Printer>({
    remove: (id) => callApi(deletePrinter, { params: { id } }),
    restore: (id) => callApi(restorePrinter, { params: { id } }),
    ...trashTexts(({ name }) => name),
    refresh,
  })
  const resume = useMutation({
    mutationFn: ({ id }: Printer) => callApi(resumePrinter, { params: { id } }),
    onSuccess: (printer) => {
      refresh(printer)
      toast({ title: t('{name} is back in use', { name: printer.name }) })
    },
    ...handlers,
  })
  const unload = useMutation({
    mutationFn: ({ printer, slot }: { printer: Printer; slot: number }) =>
      callApi(loadPrinter, {
        params: { id: printer.id },
        body: {
          slot,
          filament_id: null,
          replaces: printer.slots.find((each) => each.slot === slot)?.filament_id,
        },
      }),
    onSuccess: (after, { slot }) => {
      refresh(after)
      toast({ title: t('Slot {slot} of {name} is empty', { slot, name: after.name }) })
    },
    ...handlers,
  })
  const test = useMutation({
    mutationFn: ({ id }: Printer) => callApi(testPrinter, { params: { id } }),
    onSuccess: ({ message }) => toast({ title: serverText(message) }),
    ...handlers,
  })
  // A start that is repeated after a lost response starts only one plate.
  const sendStart = useRetriedSend(
    ({ id, body }: { id: string; body: { printer: string; filament_id?: string } }, headers) =>
      callApi(startPrintJob, { params: { id }, body, headers }),
  )
  const start = useMutation({
    mutationFn: async ({ printer, jobId, spoolId }: { printer: Printer; jobId: string; spoolId: string }) => {
      const body = { printer: printer.name, ...(spoolId !== '' && { filament_id: spoolId }) }
      const job = await sendStart({ id: jobId, body })
      return { job, unsupplied: await findUnsuppliedPlate(jobId) }
    },
    onSuccess: ({ job, unsupplied }, { printer }) => {
      const title = t('“{inventory_item_name}” started on {name}', {
        inventory_item_name: job.inventory_item_name,
        name: printer.name,
      })
      const open = () => setParams((now) => withParams(now, { printer: printer.id, do: 'load' }))
      toast({
        title: unsupplied ? `${title}. ${unsuppliedText(unsupplied)}` : title,
        ...(unsupplied && canLoadNow(unsupplied) && { action: { label: t('Load a spool'), onSelect: open } }),
      })
    },
    ...handlers,
  })
  const pause = useMutation({
    mutationFn: ({
      printer: { current_job: job },
      command,
    }: {
      printer: Printer
      command: 'pause' | 'resume'
    }) =>
      callApi(command === 'pause' ? pausePrintJob : resumePrintJob, {
        params: { id: job?.id ?? '' },
        body: { ...(job && { plate_id: job.plate_id }) },
      }),
    onSuccess: (_, { printer, command }) =>
      toast({
        title:
          command === 'pause'
            ? t('{name} is paused', { name: printer.name })
            : t('{name} continues', { name: printer.name }),
      }),
    ...handlers,
  })
  return { pause, restore, remove, resume, unload, test, start }
}
