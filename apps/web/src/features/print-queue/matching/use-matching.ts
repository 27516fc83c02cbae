import { updatePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import type { WaitAction } from '@pegasus/contracts/print-queue/job-waits'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { assignPrintJob } from '@pegasus/contracts/print-queue/matching'
import { clearPrinter, loadPrinter, resumePrinter } from '@pegasus/contracts/print-queue/printers'
import { requeuePrintJob } from '@pegasus/contracts/print-queue/steps'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { refreshQueue } from '../optimistic-queue.ts'

interface Choice {
  printerId: string | null
  /** True to select the printer although it does not fit. */
  isOverride?: boolean
}

/** Without a slot, the server chooses the slot. */
const loadOf = ({ filament_id, slot }: WaitAction) => ({ filament_id, ...(slot !== null && { slot }) })

/** The actions that resolve the reasons why a job waits, and the action that selects its printer. */
export function useMatching(job: PrintJob) {
  const client = useQueryClient()
  const handlers = {
    onError: toastError,
    onSettled: () => refreshQueue(client, ['filament', 'printers']),
  }
  const params = { id: job.id }

  const perform = async (action: WaitAction): Promise<unknown> => {
    const printer = { params: { id: action.printer_id ?? '' } }
    switch (action.kind) {
      case 'load_spool':
        return callApi(loadPrinter, { ...printer, body: loadOf(action) })
      case 'clear':
        return callApi(clearPrinter, printer)
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
      // The page shows links for these actions instead.
      case 'slice':
      case 'add_printer':
      case 'add_spool':
        return null
    }
  }

  const act = useMutation({
    mutationFn: perform,
    onSuccess: (_, { label }) => toast({ title: `${label}: done` }),
    ...handlers,
  })
  const assign = useMutation({
    mutationFn: ({ printerId, isOverride = false }: Choice) =>
      callApi(assignPrintJob, { params, body: { printer_id: printerId, override: isOverride } }),
    onSuccess: (_, { printerId }) =>
      toast({ title: printerId ? 'The job waits for this printer' : 'Any printer may take the job' }),
    ...handlers,
  })
  return { act, assign }
}
