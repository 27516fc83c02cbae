import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Database } from '../../platform/database/database.ts'
import { MEASURED, type Measurement } from '../../platform/measurements.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { type OperatingFigures, readOperatingFigures } from './metrics.queries.ts'

/** How long the figures are reused, so that even frequent requests for metrics cost little. */
const READING_KEPT_MS = 5000

interface Deps {
  registry: Registry
  database: Database
  /** Returns how many browsers listen for events. */
  countStreams: () => number
  /** Returns how many threads of the worker pools are alive. */
  countThreads: () => number
  log: ServiceLog
}

/**
 * Adds metrics of the database, storage, events, workers, tasks, printers, channels and backups. Returns a function
 * that stops the measurement. While the database does not respond, its metrics are missing.
 */
export function addSystemMetrics({ registry, database, countStreams, countThreads, log }: Deps): () => void {
  const registers = [registry]
  const gauge = (name: string, help: string, labelNames: string[] = [], collect?: (self: Gauge) => unknown) =>
    new Gauge({
      name: `pegasus_${name}`,
      help,
      labelNames,
      registers,
      ...(collect && {
        async collect() {
          await collect(this)
        },
      }),
    })

  const stopMeasuring = [
    measureCalls(registers, MEASURED.database, 'pegasus_database_call', 'database calls'),
    measureCalls(registers, MEASURED.storage, 'pegasus_storage_call', 'file storage calls'),
  ]
  gauge('database_connections', 'Connections of this process', ['state'], (self) => {
    const { total, idle, waiting } = database.connections()
    self.set({ state: 'used' }, total - idle)
    self.set({ state: 'idle' }, idle)
    self.set({ state: 'waiting' }, waiting)
  })
  gauge('event_streams', 'Browsers that listen for events', [], (self) => self.set(countStreams()))
  gauge('worker_threads', 'Threads that measure, draw and read files', [], (self) => self.set(countThreads()))

  let latest: { at: number; figures: Promise<OperatingFigures | null> } | null = null
  const read = (): Promise<OperatingFigures | null> => {
    const now = performance.now()
    if (!latest || now - latest.at > READING_KEPT_MS) {
      const figures = readOperatingFigures(database.sql).catch((error: unknown) => {
        log.warn({ err: error }, 'the metrics of the database could not be read')
        return null
      })
      latest = { at: now, figures }
    }
    return latest.figures
  }
  const fromDatabase = (
    name: string,
    help: string,
    labelNames: string[],
    set: (self: Gauge, figures: OperatingFigures) => void,
  ) =>
    gauge(name, help, labelNames, async (self) => {
      self.reset()
      const figures = await read()
      if (figures) set(self, figures)
    })

  gauge('database_up', '1 if the database responds', [], async (self) => self.set((await read()) ? 1 : 0))
  fromDatabase('database_size_bytes', 'Size of the database', [], (self, { database_bytes: bytes }) =>
    self.set(bytes),
  )
  fromDatabase('tasks', 'Background tasks by queue and state', ['queue', 'state'], (self, { queues }) => {
    for (const { name, waiting, running, failed } of queues) {
      self.set({ queue: name, state: 'waiting' }, waiting)
      self.set({ queue: name, state: 'running' }, running)
      self.set({ queue: name, state: 'failed' }, failed)
    }
  })
  fromDatabase('printers', 'Printers by state', ['state'], (self, { printers }) => {
    for (const { state, count } of printers) self.set({ state }, count)
  })
  fromDatabase('print_jobs', 'Unfinished print jobs by state', ['state'], (self, { jobs }) => {
    for (const { state, count } of jobs) self.set({ state }, count)
  })
  fromDatabase(
    'channel_deliveries',
    'Waiting and failed deliveries to channels',
    ['state'],
    (self, { deliveries }) => {
      for (const { state, count } of deliveries) self.set({ state }, count)
    },
  )
  fromDatabase(
    'outbox_mails',
    'Emails in the outbox that no administrator has delivered yet',
    [],
    (self, { mails }) => self.set(mails),
  )
  fromDatabase(
    'security_events_waiting',
    'Security events that another system has not accepted yet',
    [],
    (self, { security_events: waiting }) => self.set(waiting),
  )
  fromDatabase(
    'storage_shared',
    '1 if another database has used the file storage in the last hour, so no stored file is deleted',
    [],
    (self, { storage_is_shared: isShared }) => self.set(isShared ? 1 : 0),
  )
  fromDatabase(
    'last_backup_timestamp_seconds',
    'Start time of the last good backup',
    [],
    (self, { last_backup }) => {
      // Report 0 if there is no backup, so that the alert about old backups also fires then.
      self.set(last_backup ?? 0)
    },
  )
  return () => {
    for (const stop of stopMeasuring) stop()
  }
}

function measureCalls(registers: Registry[], channel: string, name: string, what: string): () => void {
  const durations = new Histogram({
    name: `${name}_duration_seconds`,
    help: `Duration of ${what}`,
    labelNames: ['call'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers,
  })
  const failures = new Counter({
    name: `${name}_failures_total`,
    help: `Failed ${what}`,
    labelNames: ['call'],
    registers,
  })
  const note = (message: unknown) => {
    const { name: call, seconds, hasFailed } = message as Measurement
    durations.observe({ call }, seconds)
    if (hasFailed) failures.inc({ call })
  }
  subscribe(channel, note)
  return () => void unsubscribe(channel, note)
}
