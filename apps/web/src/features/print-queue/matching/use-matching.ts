import { updatePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import type { WaitAction } from '@pegasus/contracts/print-queue/job-waits'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { assignPrintJob } from '@pegasus/contracts/print-queue/matching'
import { getPrinter, loadPrinter, resumePrinter } from '@pegasus/contracts/print-queue/printers'
import { requeuePrintJob } from '@pegasus/contracts/print-queue/steps'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { refreshQueue } from '../optimistic-queue.ts'
import { t } from '@/lib/i18n/messages.ts'

interface Choice {
  printerId: string | null
  /** True to select the printer although it does not fit. */
  isOverride?: boolean
}

/** Loads the spool only if the slot still holds the spool that the person has seen. */
const loadOf = ({ filament_id, replaces }: WaitAction) => ({
  filament_id,
  ...(replaces && { slot: replaces.slot, replaces: replaces.filament_id }),
})

/** The actions that resolve the reasons why a job waits, the dialog that clears a bed, and the choice of a printer. */
export function useMatching(job: PrintJob) {
  const client = useQueryClient()
  const refresh = () => refreshQueue(client, ['filament', 'printers', 'inventory'])
  const handlers = { onError: toastError, onSettled: refresh }
  const params = { id: job.id }

  const perform = async (action: WaitAction): Promise<unknown> => {
    const printer = { params: { id: action.printer_id ?? '' } }
    switch (action.kind) {
      case 'load_spool':
        return callApi(loadPrinter, { ...printer, body: loadOf(action) })
      case 'resume':
        return callApi(resumePrinter, printer)
      case 'change_color':
        return callApi(updatePrintJob, {
          params,
          body: { color: action.color },
          headers: ifMatch(job.revision),
        })
      case 'requeue':
        return callApi(requeuePrintJob, { params })
      // The page shows a dialog for the first of these actions, and links for the others.
      case 'clear':
      case 'slice':
      case 'edit_printer':
      case 'add_printer':
      case 'add_spool':
        return null
    }
  }

  const act = useMutation({
    mutationFn: perform,
    onSuccess: (_, { label }) => toast({ title: t('{label}: done', { label }) }),
    ...handlers,
  })
  const assign = useMutation({
    mutationFn: ({ printerId, isOverride = false }: Choice) =>
      callApi(assignPrintJob, { params, body: { printer_id: printerId, override: isOverride } }),
    onSuccess: (_, { printerId }) =>
      toast({ title: printerId ? t('The job waits for this printer') : t('Any printer may take the job') }),
    ...handlers,
  })
  // The dialog asks for the pieces of the plate that is on the bed now.
  const look = useMutation({
    mutationFn: (id: string) => callApi(getPrinter, { params: { id } }),
    onError: toastError,
  })
  const clear = { open: look.mutate, printer: look.data ?? null, close: look.reset, refresh }
  return { act, assign, clear }
}
