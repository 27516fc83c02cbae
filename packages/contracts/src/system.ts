import * as z from 'zod/mini'
import { declareEndpoints } from './endpoint.ts'
import { nullable, timestamp } from './fields.ts'
import { SCANNER_STATES } from './health.ts'

const { get, post, del } = declareEndpoints('system', { notFound: 'TASK_NOT_FOUND' })

/** The background work of one kind. */
const taskQueue = z.object({
  /** Name of the queue, such as `stl-library.analyse`. */
  name: z.string(),
  waiting: z.number(),
  running: z.number(),
  /** Number of tasks of the last week whose last attempt failed, and which nobody has tried again. */
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
  /** The folder or bucket in which the server stores files. */
  store: z.string(),
  started_at: timestamp,
  /** Time of the server's last heartbeat. A server without one for 45 seconds is no longer listed. */
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
    /** Whether servers of another database have used the same folder or bucket in the last hour. */
    is_shared: z.boolean(),
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

/** A background task that gave up or fails repeatedly. */
const failedTask = z.object({
  id: z.uuid(),
  /** Name of the queue, such as `stl-library.analyse`. */
  queue: z.string(),
  /** `gave_up` has no attempts left. `waiting` and `running` failed at least twice and are tried again automatically. */
  state: z.enum(['gave_up', 'waiting', 'running']),
  /** Name of the object, such as the title of a model. Null if the task has none, or the object no longer exists. */
  subject: nullable.text,
  /** The page of the object in the web app, as a path with its query. */
  subject_path: nullable.text,
  attempts: z.number(),
  /** The time of the last failure if the task gave up, otherwise the start of its last attempt. */
  failed_at: timestamp,
  next_attempt_at: nullable.timestamp,
  /** The error of the last attempt, in one sentence. */
  error: z.string(),
})
export type FailedTask = z.output<typeof failedTask>

/** How many failed tasks are listed. */
export const MAX_FAILED_TASKS = 100

export const listFailedTasks = get('/api/system/failed-tasks', 'admin', {
  summary: `Background tasks that gave up in the last week or fail repeatedly; at most ${MAX_FAILED_TASKS}, those that gave up first`,
  returns: z.object({ tasks: z.array(failedTask) }),
})

export const retryFailedTask = post('/api/system/failed-tasks/:id/retry', 'admin', {
  summary: 'Try a failed task again. Concurrent calls have an effect once',
  returns: z.object({
    /** False if the work is done or no longer wanted. The task is then removed from the list. */
    is_started: z.boolean(),
  }),
})

export const dismissFailedTask = del('/api/system/failed-tasks/:id', 'admin', {
  summary: 'Remove a task that gave up from the list of failed tasks, without trying it again',
})

/** A printer that is in the state `error` or `offline`. */
const stoppedPrinter = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(['error', 'offline']),
  reason: nullable.text,
})
export type StoppedPrinter = z.output<typeof stoppedPrinter>

/** How many stopped printers are listed. */
export const MAX_STOPPED_PRINTERS = 20

/** The connection to the main shop site. */
const shopState = z.object({
  kind: z.enum(['pegasus', 'woocommerce', 'shopify']),
  url: z.string(),
  /** The last time at which all changed orders were fetched. */
  compared_at: nullable.timestamp,
  /** The time of the last comparison that failed. It and `problem` stay after a later success. */
  failed_at: nullable.timestamp,
  problem: nullable.text,
  /** Whether the newest attempt failed. */
  is_failing: z.boolean(),
  /** Number of orders that could not be imported. */
  refused_orders: z.number(),
  /** Number of parcels that the shop did not accept yet. */
  refused_parcels: z.number(),
  /** Number of products whose last comparison with the shop failed. */
  unchecked_products: z.number(),
})
export type ShopState = z.output<typeof shopState>

const printersAndShops = z.object({
  printers: z.object({
    total: z.number(),
    /** Number of printers in the state `error`. */
    error: z.number(),
    offline: z.number(),
    /** The printers that are in error or offline: those in error first, then by name. */
    stopped: z.array(stoppedPrinter),
  }),
  /** The connected shops. Today at most one. */
  shops: z.array(shopState),
})
export type PrintersAndShops = z.output<typeof printersAndShops>

export const getPrintersAndShops = get('/api/system/printers-and-shops', 'admin', {
  summary: `Printers that stopped, at most ${MAX_STOPPED_PRINTERS}, and the connection to the shop`,
  returns: printersAndShops,
})

const slowStatement = z.object({
  /** The statement with placeholders instead of values, in one line. */
  text: z.string(),
  /** Number of calls. */
  count: z.number(),
  mean_ms: z.number(),
  longest_ms: z.number(),
})
export type SlowStatement = z.output<typeof slowStatement>

const slowStatements = z.object({
  /**
   * `database` if PostgreSQL has the extension pg_stat_statements, which counts the statements of all servers. Otherwise
   * `server`: the server that sends this response has measured its own statements.
   */
  source: z.enum(['database', 'server']),
  /** The start of the measurement. */
  since: timestamp,
  statements: z.array(slowStatement),
})
export type SlowStatements = z.output<typeof slowStatements>

/** A statement is slow if a call took this long. */
export const SLOW_STATEMENT_MS = 100
/** How many slow statements are listed. */
export const MAX_SLOW_STATEMENTS = 10

export const listSlowStatements = get('/api/system/slow-statements', 'admin', {
  summary: `Database statements with a call of at least ${SLOW_STATEMENT_MS} ms, without values; at most ${MAX_SLOW_STATEMENTS}, the one with the longest mean first`,
  returns: slowStatements,
})

/** A file for the people who help with a problem. It contains no secrets, names or addresses. */
export const getSupportBundle = get('/api/system/support-bundle', 'admin', {
  summary: 'A JSON file for problem reports, with versions, settings and figures but without secrets',
  sends: 'application/json',
})
