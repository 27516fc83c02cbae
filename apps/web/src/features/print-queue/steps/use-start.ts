import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { matchesQuery } from '../print-queue.queries.ts'
import { useJobSteps } from './use-job-steps.ts'

/** Returns the printers that a person starts at the machine, in the same order. */
export const printersOfPeople = (matches: readonly PrinterMatch[]): PrinterMatch[] =>
  matches.filter(({ printer }) => !isNetworkKind(printer.kind))

export const canStartNow = ({ reasons }: PrinterMatch): boolean => reasons.length === 0

/**
 * Starts a job for a person. Without a printer, neither its hours nor the filament in it would be booked.
 *
 * @param openDialog Opens the dialog in which the person chooses the printer.
 * @returns `start` starts the job on its own printer, or on the only printer that can start it now. If several or none
 * can, it opens the dialog. If people start no printer of the shop, the job starts without one. `choose` always
 * opens the dialog. Both do nothing while the printers are loaded.
 */
export function useStart(job: PrintJob, openDialog: () => void): { start: () => void; choose: () => void } {
  const client = useQueryClient()
  const steps = useJobSteps()
  const load = useMutation({
    mutationFn: async ({ isChoice }: { isChoice: boolean }) => {
      const matches = await client.fetchQuery({ ...matchesQuery(job.id), staleTime: 0 })
      const printers = printersOfPeople(matches)
      const [first, second] = printers.filter(canStartNow)
      if (isChoice || (printers.length > 0 && (!first || second))) openDialog()
      else steps.start(job, first && { printer: first.printer.name })
    },
    onError: toastError,
  })
  const loadUnlessLoading = (isChoice: boolean): void => {
    if (!load.isPending) load.mutate({ isChoice })
  }
  return {
    start: () => (job.printer === null ? loadUnlessLoading(false) : steps.start(job)),
    choose: () => loadUnlessLoading(true),
  }
}
