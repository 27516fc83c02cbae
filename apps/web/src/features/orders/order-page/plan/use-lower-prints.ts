import type { ProposedReduction } from '@pegasus/contracts/orders/order-plan'
import { updatePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import { requeuePrintJob } from '@pegasus/contracts/print-queue/steps'
import { useMutation } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { t } from '@/lib/i18n/messages.ts'
import { cancelWaitingJob } from '../../cancel-waiting-job.ts'
import { useOrderRefresh } from '../../use-order-refresh.ts'

/** A print job whose quantity was lowered, with its revision after that change. */
interface Lowered {
  reduction: ProposedReduction
  revision: number
}

const setQuantity = (id: string, quantity: number, revision: number) =>
  callApi(updatePrintJob, { params: { id }, body: { quantity }, headers: ifMatch(revision) })

/**
 * Lowers or cancels a print job as proposed. The server refuses this if the job was started or changed after the
 * proposal.
 */
async function lower(reduction: ProposedReduction): Promise<Lowered> {
  const { job_id: id, needed_quantity: needed, revision } = reduction
  const job = await (needed === null ? cancelWaitingJob(id) : setQuantity(id, needed, revision))
  return { reduction, revision: job.revision }
}

const raise = ({ reduction: { job_id: id, needed_quantity: needed, quantity }, revision }: Lowered) =>
  needed === null
    ? callApi(requeuePrintJob, { params: { id }, body: {} })
    : setQuantity(id, quantity, revision)

/** Splits the results of several requests into returned values and errors. */
const splitResults = <T>(results: readonly PromiseSettledResult<T>[]) => ({
  done: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
  errors: results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])),
})

/**
 * Returns the mutation that lowers or cancels the print jobs of an order that print more than it needs. It shows its result
 * in a toast with Undo.
 */
export function useLowerPrints(orderNumber: string) {
  const refresh = useOrderRefresh()
  const undo = useMutation({
    mutationFn: async (lowered: readonly Lowered[]) => {
      const { errors } = splitResults(await Promise.allSettled(lowered.map(raise)))
      if (errors.length > 0) throw errors[0]
    },
    onError: toastError,
    onSettled: () => void refresh('prints'),
  })
  return useMutation({
    mutationFn: async (reductions: readonly ProposedReduction[]) =>
      splitResults(await Promise.allSettled(reductions.map(lower))),
    onSuccess: ({ done, errors }) => {
      const pieces = done.reduce((sum, { reduction }) => sum + reduction.fewer, 0)
      if (done.length > 0)
        toast({
          title: t('Prints {pieces, plural, one {# piece} other {# pieces}} fewer for {number}', {
            pieces,
            number: orderNumber,
          }),
          action: { label: t('Undo'), onSelect: () => undo.mutate(done) },
        })
      if (errors.length > 0) toastError(errors[0])
    },
    onSettled: () => void refresh('prints'),
  })
}
