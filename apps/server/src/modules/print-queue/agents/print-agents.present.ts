import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { AgentJobRow } from './print-agents.service.ts'

/** A print job in the wire format for agents; the response schema drops internal fields. */
export const presentAgentJob = ({ job, lease, file }: AgentJobRow): AgentJob => ({
  ...job,
  lease_id: lease?.id ?? null,
  lease_expires_at: lease?.expires_at ?? null,
  file: file && {
    path: `/api/print-jobs/${job.id}/file`,
    file_name: file.file_name,
    file_size: file.file_size,
    sha256: file.sha256,
    format: file.format,
    slice_id: file.slice_id,
  },
})
