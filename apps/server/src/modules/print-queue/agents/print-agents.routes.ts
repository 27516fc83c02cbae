import {
  claimPrintJob,
  completePrintJob,
  failPrintJob,
  getPrintJobFile,
  heartbeatPrintJob,
} from '@pegasus/contracts/print-queue/agents'
import type { Call, Endpoints } from '../../../platform/http/endpoints.ts'
import { attachmentHeader, sendObject } from '../../../platform/http/send-object.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { presentAgentJob } from './print-agents.present.ts'
import type { AgentCaller, PrintAgents, ReportingAgent } from './print-agents.service.ts'

/**
 * Converts the rejected pieces, filament and time in a request body. The result is undefined for absent
 * fields.
 */
const reportIn = (
  body:
    | {
        rejected_quantity?: number | undefined
        used_grams?: number | number[] | undefined
        used_mm?: number | number[] | undefined
        print_minutes?: number | undefined
        cleared?: boolean | undefined
      }
    | null
    | undefined,
) => ({
  rejected: body?.rejected_quantity,
  printMinutes: body?.print_minutes,
  isCleared: body?.cleared,
  use:
    body?.used_grams !== undefined
      ? { grams: body.used_grams }
      : body?.used_mm !== undefined
        ? { lengthMm: body.used_mm }
        : undefined,
})

export function addPrintAgentRoutes(
  endpoints: Endpoints,
  deps: { agents: PrintAgents; storage: ObjectStorage },
): void {
  const { agents, storage } = deps

  const callerOf = (
    call: Pick<Call<typeof claimPrintJob>, 'user' | 'audit'>,
    body?: { lease_id?: string | undefined } | null,
  ): AgentCaller => ({
    keyId: call.user.keyId,
    leaseId: body?.lease_id,
    audit: call.audit,
  })

  const reporterOf = (
    call: Pick<Call<typeof completePrintJob>, 'user' | 'audit' | 'caller'>,
    body?: { lease_id?: string | undefined } | null,
  ): ReportingAgent => ({ ...callerOf(call, body), ...call.caller })

  endpoints.add(claimPrintJob, async (call) => {
    const claimed = await agents.claim(call.body, callerOf(call))
    return claimed ? presentAgentJob(claimed) : call.reply.code(204).send()
  })

  endpoints.add(heartbeatPrintJob, async (call) => {
    const { params, body } = call
    return presentAgentJob(await agents.heartbeat(params.id, body?.progress, callerOf(call, body)))
  })

  endpoints.add(completePrintJob, async (call) => {
    const { params, body } = call
    const result = { good: body?.good_quantity, reason: body?.reason, ...reportIn(body) }
    return agents.complete(params.id, result, reporterOf(call, body))
  })

  endpoints.add(failPrintJob, async (call) => {
    const { params, body } = call
    const failure = { reason: body.reason, ...reportIn(body) }
    return agents.fail(params.id, failure, reporterOf(call, body))
  })

  endpoints.add(getPrintJobFile, async (call) => {
    const file = await agents.getFile(call.params.id, callerOf(call))
    return sendObject(call.request, call.reply, storage, {
      key: file.object_key,
      contentType: file.slice_id === null ? `model/${file.format}` : 'application/octet-stream',
      contentDisposition: attachmentHeader(file.file_name),
      etag: `"${file.sha256}"`,
      cacheControl: 'private, no-cache',
    })
  })
}
