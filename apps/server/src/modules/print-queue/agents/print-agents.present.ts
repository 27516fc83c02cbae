import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { AgentJobRow } from './print-agents.service.ts'

/** Converts a print job to the API format for agents. The response schema drops internal fields. */
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
