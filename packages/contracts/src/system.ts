import * as z from 'zod/mini'
import { declareEndpoints } from './endpoint.ts'
import { timestamp } from './fields.ts'
import { SCANNER_STATES } from './health.ts'

const { get } = declareEndpoints('system')

/** The background work of one kind. */
const taskQueue = z.object({
  /** Name of the queue, such as `stl-library.analyse`. */
  name: z.string(),
  waiting: z.number(),
  running: z.number(),
  /** Number of tasks in the last day whose last attempt failed. */
  failed: z.number(),
})
export type TaskQueue = z.output<typeof taskQueue>

/** The work that a server does: everything, only requests, or only background work. */
export const SERVER_ROLES = ['all', 'web', 'jobs'] as const
export type ServerRole = (typeof SERVER_ROLES)[number]

/** A running server of this installation. */
const serverProcess = z.object({
  id: z.string(),
  role: z.enum(SERVER_ROLES),
  /** Name of the machine or container. */
  host: z.string(),
  version: z.string(),
  /** The folder or bucket in which it stores files. */
  store: z.string(),
  started_at: timestamp,
  /** Its last sign of life. A server that shows none for 45 seconds is no longer listed. */
  seen_at: timestamp,
})
export type ServerProcess = z.output<typeof serverProcess>

const systemStatus = z.object({
  version: z.string(),
  node_version: z.string(),
  /** The time when the process that sends this response was started. */
  started_at: timestamp,
  memory_bytes: z.number(),
  database: z.object({
    /** The version of the database, such as `18.4`. */
    version: z.string(),
    size_bytes: z.number(),
    is_embedded: z.boolean(),
    connections: z.number(),
    /** The name of the newest migration. */
    migration: z.string(),
  }),
  storage: z.object({
    kind: z.enum(['folder', 'bucket']),
    /** Free space on the volume of the data folder. Null if it is unknown. */
    free_bytes: z.nullable(z.number()),
    total_bytes: z.nullable(z.number()),
  }),
  /** Whether the malware scanner responds. `off` means that none is configured. */
  malware_scanner: z.enum(SCANNER_STATES),
  mail: z.object({
    delivery: z.enum(['outbox', 'smtp']),
    /** Number of emails that wait in the outbox. */
    unsent: z.number(),
  }),
  /** All running servers of this installation, the oldest first. */
  servers: z.array(serverProcess),
  queues: z.array(taskQueue),
})
export type SystemStatus = z.output<typeof systemStatus>

export const getSystem = get('/api/system', 'admin', {
  summary: 'Versions, database, free space for files, mail, and background work',
  returns: systemStatus,
})

/** A file for the people who help with a problem. It contains no secrets, names or addresses. */
export const getSupportBundle = get('/api/system/support-bundle', 'admin', {
  summary: 'A JSON file for problem reports, with versions, settings and figures but without secrets',
  sends: 'application/json',
})
