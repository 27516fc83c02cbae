import type { BackupRun, BackupSchedule, BackupStatus } from '@pegasus/contracts/backups'
import { basename } from 'node:path'
import type { AuditContext } from '../../platform/actor.ts'
import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type IdempotentCaller, writeBodyOnce } from '../../platform/http/idempotency.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { StartupError } from '../../platform/startup-error.ts'
import type { TaskDefinition } from '../../platform/tasks/task-definition.ts'
import type { Tasks } from '../../platform/tasks/tasks.ts'
import { writeAudit } from '../audit/index.ts'
import { type BackedUpServer, type BackupConfig, backUpServer } from './backup-commands.ts'
import { BackupError, sizesOf } from './backup-format.ts'
import {
  type BackupAlert,
  beginRun,
  claimFailedRuns,
  deleteOldRuns,
  failRun,
  findLastGood,
  findNextDue,
  finishRun,
  listRunning,
  listRuns,
  lockSchedule,
  recordLateAlert,
  readSchedule,
  saveSchedule,
} from './backup-runs.queries.ts'
import { isBackupLate, lateSentence, isLateAlertSent } from './late-backup.ts'

const SHOWN_RUNS = 20
const RUNS_KEPT_MS = 400 * DAY_MS
const TASK = 'backups.make'
const DEADLINE_SECONDS = 12 * 60 * 60
const INTERRUPTED = 'The server stopped before the backup was finished.'

interface BackupTask {
  runId: string
}

export interface Backups {
  /** Returns the schedule and the latest backup runs. */
  read(): Promise<BackupStatus>
  /** Starts a backup. If one is already running, returns that run. Throws IDEMPOTENCY_KEY_REUSED. */
  start(by: IdempotentCaller): Promise<BackupRun>
  /** Saves the schedule, and returns it. */
  setSchedule(schedule: BackupSchedule, audit: AuditContext): Promise<BackupSchedule>
  /** Starts a backup if one is due according to the schedule. */
  startIfDue(): Promise<void>
  /** Deletes backup runs that are more than a year old. Called every hour. */
  purge(): Promise<void>
}

interface Deps extends Omit<BackedUpServer, 'config'> {
  config: BackupConfig & { backupDir: string }
  tasks: Tasks
  clock: Clock
  log: ServiceLog
}

/**
 * Creates the service that backs up the running server, on request or by a schedule. Each backup runs as a background
 * task.
 */
export function createBackups(deps: Deps): Backups {
  const { config, database, tasks, clock } = deps
  tasks.register(createBackupTask(deps))

  const begin = async (tx: Queryable, cause: BackupRun['cause']): Promise<BackupRun | null> => {
    const run = await beginRun(tx, { cause, now: clock.now() })
    if (run) await tasks.enqueue(tx, TASK, { runId: run.id } satisfies BackupTask, { singletonKey: run.id })
    return run
  }

  return {
    async read() {
      const { sql } = database
      const [schedule, nextAt, lastGood, runs] = await Promise.all([
        readSchedule(sql),
        findNextDue(sql),
        findLastGood(sql),
        listRuns(sql, SHOWN_RUNS),
      ])
      return {
        folder: config.backupDir,
        is_encrypted: config.backupKey !== null,
        schedule: { every_hours: schedule.every_hours, keep: schedule.keep },
        next_at: nextAt,
        is_late: isBackupLate(schedule, lastGood, clock.now()),
        last_good: lastGood,
        runs,
      }
    },

    start: (by) =>
      writeBodyOnce({ database, clock }, by, ['backups'], async (tx, { audit }) => {
        for (;;) {
          const begun = await begin(tx, 'person')
          if (begun)
            await writeAudit(tx, { action: 'backup.started', entity: 'backup', entityId: begun.id }, audit)
          const run = begun ?? (await listRunning(tx))[0]
          // The backup that prevented the insert may have ended since then. Try again to begin a new one.
          if (run) return run
        }
      }),

    setSchedule: (schedule, audit) =>
      database.transaction(async (tx) => {
        const { every_hours: everyHours, keep } = await lockSchedule(tx)
        const before = { every_hours: everyHours, keep }
        await saveSchedule(tx, schedule, audit.now)
        const subject = { entity: 'backup', entityId: null } as const
        await writeAudit(
          tx,
          { action: 'backup_schedule.updated', ...subject, before, after: { ...schedule } },
          audit,
        )
        return schedule
      }),

    async startIfDue() {
      const dueAt = await findNextDue(database.sql)
      if (dueAt === null || Date.parse(dueAt) > clock.now().getTime()) return
      await database.transaction(async (tx) => {
        // Another process may have started the backup in the meantime.
        await lockSchedule(tx)
        const stillDueAt = await findNextDue(tx)
        if (stillDueAt !== null && Date.parse(stillDueAt) <= clock.now().getTime())
          await begin(tx, 'schedule')
      })
    },

    purge: () => deleteOldRuns(database.sql, addMs(clock.now(), -RUNS_KEPT_MS)),
  }
}

function createBackupTask({ config, clock, log, ...server }: Deps): TaskDefinition<BackupTask> {
  const { sql } = server.database
  const fail = (id: string, failure: string) => failRun(sql, { id, failure, now: clock.now() })
  return {
    name: TASK,
    deadlineSeconds: DEADLINE_SECONDS,
    // If a process dies during the backup, another process continues the task.
    retryLimit: 2,
    async run({ runId }, { signal }) {
      if (!(await listRunning(sql)).some(({ id }) => id === runId)) return
      const { keep } = await readSchedule(sql)
      try {
        const { path, manifest, damaged, failures } = await backUpServer(config.backupDir, {
          ...server,
          config,
          keep,
        })
        await finishRun(sql, { id: runId, ...sizesOf(manifest), name: basename(path), now: clock.now() })
        if (damaged.length > 0)
          log.warn(
            { backups: damaged },
            'some older backups are damaged or have another key, so files of removed backups may be kept',
          )
        if (failures.length > 0) log.error({ failures }, 'some old backups could not be removed')
      } catch (error) {
        if (signal.aborted) throw error
        log.error({ err: error }, 'a backup failed')
        await fail(runId, failureSentence(error, config.backupDir))
      }
    },
    listOpen: async () => (await listRunning(sql)).map(({ id }) => ({ runId: id })),
    onFailed: ({ runId }) => fail(runId, INTERRUPTED),
    // The failed backup stays in the list. If a backup is already running, no other one is needed.
    async reopen(tx) {
      const run = await beginRun(tx, { cause: 'person', now: clock.now() })
      return run && { runId: run.id }
    },
  }
}

const SENTENCES: Readonly<Record<string, (folder: string) => string>> = {
  ENOSPC: (folder) => `There is no space left in ${folder}.`,
  EDQUOT: (folder) => `There is no space left in ${folder}.`,
  EACCES: (folder) => `The server is not allowed to write to ${folder}.`,
  EPERM: (folder) => `The server is not allowed to write to ${folder}.`,
  EROFS: (folder) => `The server is not allowed to write to ${folder}.`,
  ENOTDIR: (folder) => `${folder} is not a folder. Set BACKUP_DIR to a folder.`,
  EEXIST: (folder) => `${folder} is not a folder. Set BACKUP_DIR to a folder.`,
}

/** Returns a message for people that explains why a backup failed. */
function failureSentence(error: unknown, folder: string): string {
  if (error instanceof BackupError || error instanceof StartupError) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (
    SENTENCES[code]?.(folder) ?? 'The backup could not be written. The log of the server has the details.'
  )
}

/** Claims the problems that need an alert: failed runs, and a late backup. Each problem is claimed once. */
export async function claimBackupAlerts(tx: Queryable, now: Date): Promise<BackupAlert[]> {
  const failed = await claimFailedRuns(tx, now)
  const schedule = await readSchedule(tx)
  const lastGood = await findLastGood(tx)
  if (!isBackupLate(schedule, lastGood, now) || isLateAlertSent(schedule, lastGood)) return failed
  await recordLateAlert(tx, now)
  return [...failed, { run_id: null, reason: lateSentence(lastGood, now) }]
}
