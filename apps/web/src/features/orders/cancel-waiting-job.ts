import type { CallOf } from '@pegasus/contracts/endpoint'
import { CANCEL_REASONS } from '@pegasus/contracts/print-queue/cancel-reasons'
import { cancelPrintJob } from '@pegasus/contracts/print-queue/steps'
import { callApi } from '@/lib/http/api.ts'

/** Cancels a print job of an order that needs no more pieces. The server refuses this for a job that has started. */
export function cancelWaitingJob(id: string) {
  const body: CallOf<typeof cancelPrintJob>['body'] = {
    reason: CANCEL_REASONS.unneeded,
    only_if_not_started: true,
  }
  return callApi(cancelPrintJob, { params: { id }, body })
}
