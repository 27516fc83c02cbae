import type { SystemStatus } from '@pegasus/contracts/system'
import { availableParallelism, totalmem } from 'node:os'
import type { Queryable } from '../../platform/database/database.ts'
import type { FailedTask } from '../../platform/tasks/tasks.ts'
import { readOperatingFigures } from './metrics.queries.ts'
import { listAppliedMigrations, listTableSizes } from './support-bundle.queries.ts'

/** The settings that strangers may see. A support bundle contains no other settings. */
export interface ShownSettings {
  signups: string
  currency: string
  locale: string | null
  metrics: string
  logLevel: string
  uploadLimitBytes: number
  requestsPerSecond: number
  databaseUrl: string | null
  storageUrl: string | null
  s3: object | null
  smtpUrl: string | null
  mainSite: { kind: string } | null
  slicerPath: string | null
  ai: object | null
  backupKey: string | null
  traces: object | null
  clamd: object | null
  trustedProxies: readonly string[]
}

/**
 * Returns a report for people who help with problems. Of a setting that could be secret, it says only whether it is
 * set.
 */
export async function makeSupportBundle(
  sql: Queryable,
  {
    now,
    system,
    settings,
    failedTasks,
  }: { now: Date; system: SystemStatus; settings: ShownSettings; failedTasks: readonly FailedTask[] },
) {
  const [migrations, tables, figures] = await Promise.all([
    listAppliedMigrations(sql),
    listTableSizes(sql),
    readOperatingFigures(sql),
  ])
  const isSet = (value: unknown): boolean => value !== null
  return {
    made_at: now.toISOString(),
    system,
    process: {
      platform: `${process.platform} ${process.arch}`,
      versions: process.versions,
      processors: availableParallelism(),
      memory_of_machine_bytes: totalmem(),
      memory: process.memoryUsage(),
      uptime_seconds: Math.round(process.uptime()),
    },
    settings: {
      signups: settings.signups,
      currency: settings.currency,
      locale: settings.locale,
      metrics: settings.metrics,
      log_level: settings.logLevel,
      upload_limit_bytes: settings.uploadLimitBytes,
      requests_per_second: settings.requestsPerSecond,
      trusted_proxies: settings.trustedProxies.length,
      main_site: settings.mainSite?.kind ?? null,
      external_database: isSet(settings.databaseUrl),
      folder_for_files: isSet(settings.storageUrl),
      bucket: isSet(settings.s3),
      mail_server: isSet(settings.smtpUrl),
      slicer: isSet(settings.slicerPath),
      language_model: isSet(settings.ai),
      backups_encrypted: isSet(settings.backupKey),
      traces: isSet(settings.traces),
      malware_scanner: isSet(settings.clamd),
    },
    figures,
    // Leave out the subjects and the messages, because they contain names and addresses.
    failed_tasks: failedTasks.map(({ queue, state, attempts, failed_at, error }) => ({
      queue,
      state,
      attempts,
      failed_at,
      error: error.name,
      code: 'code' in error ? String(error.code).replace(/\W.*$/s, '') : null,
    })),
    migrations,
    tables,
  }
}
