import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { PlateTool } from '@pegasus/contracts/print-queue/plates'
import type { PrintJobRow } from '../jobs/job-list.queries.ts'
import type { JobFile } from './claims.queries.ts'
import type { LeaseRow } from './leases.queries.ts'

/** A job with its lease and file, as agents receive it. */
export interface AgentJobRow {
  job: PrintJobRow
  lease: LeaseRow | null
  file: JobFile | null
  /** The tools that the sliced file uses. */
  tools: PlateTool[]
}

/** Converts a print job to the API format for agents. The response schema drops internal fields. */
export const presentAgentJob = ({ job, lease, file, tools }: AgentJobRow): AgentJob => ({
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
    plate: file.plate,
    pieces: file.pieces,
    tools,
  },
})
