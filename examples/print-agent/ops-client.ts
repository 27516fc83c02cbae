import type { Settings } from './settings.ts'

/** The fields of a claimed job that the agent needs. */
export interface ClaimedJob {
  id: string
  label_code: string
  lease_id: string
  file: JobFile | null
}

/** The file of a claimed job. `path` is relative to the address of Pegasus Ops, and `file_size` is in bytes. */
export interface JobFile {
  path: string
  file_name: string
  file_size: number
  sha256: string
  /** Number of the plate to print, counted from 1. Null if the file is a model. */
  plate: number | null
  /** The tools that the plate uses. `slot` is the slot of the printer from which a tool prints. */
  tools: {
    tool: number
    material: string | null
    color_hex: string | null
    grams: number | null
    slot: number | null
  }[]
}

/** The filament and time that a print has used. */
export interface Used {
  used_mm?: number
  print_minutes?: number
}

/** Thrown when Pegasus Ops refuses a call. */
export class OpsRefusal extends Error {
  readonly status: number
  /** `cancel` if a person has ended the print, so that the printer has to stop. */
  readonly command: string | null

  constructor(status: number, message: string, command: string | null) {
    super(message)
    this.status = status
    this.command = command
  }
}

const TIMEOUT_MS = 30_000

/** Creates the error for a response with this body. Its message is the beginning of a body that has no message. */
function refusalOf(status: number, text: string): OpsRefusal {
  try {
    const { detail, command } = JSON.parse(text) as { detail?: unknown; command?: unknown }
    if (typeof detail === 'string')
      return new OpsRefusal(status, detail, typeof command === 'string' ? command : null)
  } catch {
    // The body is not JSON, such as an error page of a proxy.
  }
  return new OpsRefusal(status, text.slice(0, 200), null)
}

/**
 * The calls of an agent. They throw OpsRefusal if Pegasus Ops refuses, and the error of `fetch` if there is no
 * response.
 */
export function createOpsClient({ opsUrl, apiKey, ...settings }: Settings) {
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    signal: AbortSignal = AbortSignal.timeout(TIMEOUT_MS),
  ): Promise<Response> => {
    const response = await fetch(`${opsUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    })
    if (response.ok) return response
    throw refusalOf(response.status, await response.text())
  }

  return {
    /** Claims the next job that fits this printer. Returns null if there is none, or if the bed is full. */
    async claim(): Promise<ClaimedJob | null> {
      const response = await call('POST', '/api/print-jobs/claim', {
        agent: settings.agent,
        printer: settings.printer,
        ...(settings.materials.length > 0 && { materials: settings.materials }),
        ...(settings.bedMm && { bed_mm: settings.bedMm }),
        ...(settings.nozzleMm !== null && { nozzle_mm: settings.nozzleMm }),
        file_types: settings.fileTypes,
      })
      return response.status === 204 ? null : ((await response.json()) as ClaimedJob)
    },
    file: (path: string, signal: AbortSignal) => call('GET', path, undefined, signal),
    /** Progress, even 0, says that the print has begun. */
    heartbeat: (jobId: string, leaseId: string, progress?: number) =>
      call('POST', `/api/print-jobs/${jobId}/heartbeat`, {
        ...(progress !== undefined && { progress: Math.min(1, Math.max(0, progress)) }),
        lease_id: leaseId,
      }),
    /** Pegasus Ops offers the printer no job until a person has cleared the bed. */
    complete: (jobId: string, leaseId: string, used: Used) =>
      call('POST', `/api/print-jobs/${jobId}/complete`, { lease_id: leaseId, cleared: false, ...used }),
    /** `isCleared` is false if something may be on the bed. */
    fail: (jobId: string, leaseId: string, reason: string, end: Used & { isCleared: boolean }) => {
      const { isCleared: cleared, ...used } = end
      return call('POST', `/api/print-jobs/${jobId}/fail`, { lease_id: leaseId, reason, cleared, ...used })
    },
  }
}

export type OpsClient = ReturnType<typeof createOpsClient>
