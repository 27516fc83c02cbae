import { updatePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import type { WaitAction } from '@pegasus/contracts/print-queue/job-waits'
import { assignPrintJob } from '@pegasus/contracts/print-queue/matching'
import { loadPrinter, resumePrinter } from '@pegasus/contracts/print-queue/printers'
import { requeuePrintJob } from '@pegasus/contracts/print-queue/steps'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { refreshWaits } from '../optimistic-queue.ts'
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

/**
 * The actions that resolve the reasons why a job waits, and the choice of a printer. The color of the job can be changed
 * only if its revision is known.
 */
export function useMatching(job: { id: string; revision?: number }) {
  const client = useQueryClient()
  const refresh = () => refreshWaits(client)
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
          headers: ifMatch(job.revision ?? 0),
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
  return { act, assign }
}
