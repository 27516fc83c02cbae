import {
  claimPrintJob,
  completePrintJob,
  failPrintJob,
  getPrintJobFile,
  heartbeatPrintJob,
} from '@pegasus/contracts/print-queue/agents'
import type { Call, Endpoints } from '../../../platform/http/endpoints.ts'
import { sendObject } from '../../../platform/http/send-object.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { attachmentHeader } from '../../stl-library/index.ts'
import { presentAgentJob } from './print-agents.present.ts'
import type { AgentCaller, PrintAgents } from './print-agents.service.ts'

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

  endpoints.add(claimPrintJob, async (call) => {
    const claimed = await agents.claim(call.body.agent, callerOf(call))
    return claimed ? presentAgentJob(claimed) : call.reply.code(204).send()
  })

  endpoints.add(heartbeatPrintJob, async (call) => {
    const { params, body } = call
    return presentAgentJob(await agents.heartbeat(params.id, body?.progress, callerOf(call, body)))
  })

  endpoints.add(completePrintJob, async (call) => {
    const { params, body } = call
    const counts = { good: body?.good_quantity, rejected: body?.rejected_quantity }
    return presentAgentJob(await agents.complete(params.id, counts, callerOf(call, body)))
  })

  endpoints.add(failPrintJob, async (call) => {
    const { params, body } = call
    const failure = { reason: body.reason, rejected: body.rejected_quantity }
    return presentAgentJob(await agents.fail(params.id, failure, callerOf(call, body)))
  })

  endpoints.add(getPrintJobFile, async (call) => {
    const file = await agents.getFile(call.params.id, callerOf(call))
    return sendObject(call.request, call.reply, storage, {
      key: file.object_key,
      contentType: `model/${file.format}`,
      contentDisposition: attachmentHeader(file.file_name),
      etag: `"${file.sha256}"`,
      cacheControl: 'private, no-cache',
    })
  })
}
