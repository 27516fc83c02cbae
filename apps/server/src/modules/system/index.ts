import {
  MAX_FAILED_TASKS,
  type ShopState,
  type SystemStatus,
  dismissFailedTask,
  getPrintersAndShops,
  getSupportBundle,
  getSystem,
  listFailedTasks,
  listSlowStatements,
  retryFailedTask,
} from '@pegasus/contracts/system'
import { statfs } from 'node:fs/promises'
import { type Clock, SECOND_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { MalwareScanner } from '../../platform/malware-scan/clamd.ts'
import { stateOfScanner } from '../../platform/malware-scan/scanner-state.ts'
import type { Tasks } from '../../platform/tasks/tasks.ts'
import { isS3Address } from '../../platform/storage/s3-address.ts'
import { isUsedByOtherDatabase } from '../../platform/storage/store-uses.queries.ts'
import { writeAudit } from '../audit/index.ts'
import { createFailedTasks } from './failed-tasks.service.ts'
import { readPrinters, readShop } from './printers-and-shops.queries.ts'
import { listServers } from './server-processes.queries.ts'
import { listSlow } from './slow-statements.ts'
import { type ShownSettings, makeSupportBundle } from './support-bundle.ts'
import { countUnsentMails, listQueues, readDatabaseFacts } from './system.queries.ts'

export { registerServer } from './server-processes.ts'
export { addSystemMetrics } from './system-metrics.ts'

interface Deps {
  database: Database
  tasks: Tasks
  clock: Clock
  version: string
  scanner: MalwareScanner | null
  /** The main site of the shop. Null if none is configured. */
  site: Pick<ShopState, 'kind' | 'url'> | null
  config: ShownSettings & { dataDir: string }
}

/** Adds the status of the installation, which the people who run it can see. */
export function addSystem(endpoints: Endpoints, deps: Deps): void {
  const { database, tasks, clock, version, scanner, site, config } = deps
  const failedTasks = createFailedTasks(deps)
  const startedAt = () => addMs(clock.now(), -process.uptime() * SECOND_MS)
  const readStatus = async (): Promise<SystemStatus> => {
    const { sql } = database
    const [facts, servers, queues, unsent, room, isShared, scannerState] = await Promise.all([
      readDatabaseFacts(sql),
      listServers(sql),
      listQueues(sql),
      countUnsentMails(sql),
      readRoom(config.dataDir),
      isUsedByOtherDatabase(sql),
      stateOfScanner(scanner),
    ])
    return {
      version,
      node_version: process.versions.node,
      started_at: startedAt().toISOString(),
      memory_bytes: process.memoryUsage.rss(),
      database: { ...facts, is_embedded: config.databaseUrl === null },
      storage: {
        kind: config.storageUrl !== null && isS3Address(config.storageUrl) ? 'bucket' : 'folder',
        ...room,
        is_shared: isShared,
      },
      malware_scanner: scannerState,
      mail: { delivery: config.smtpUrl === null ? 'outbox' : 'smtp', unsent },
      servers,
      queues,
    }
  }
  endpoints.add(getSystem, readStatus)
  endpoints.add(getPrintersAndShops, async () => {
    const [printers, shops] = await Promise.all([
      readPrinters(database.sql),
      Promise.all((site ? [site] : []).map((each) => readShop(database.sql, each))),
    ])
    return { printers, shops }
  })
  endpoints.add(listSlowStatements, () => listSlow(database, startedAt()))
  endpoints.add(listFailedTasks, async () => ({ tasks: await failedTasks.list() }))
  endpoints.add(retryFailedTask, ({ params, audit }) => failedTasks.retry(params.id, audit))
  endpoints.add(dismissFailedTask, ({ params, audit }) => failedTasks.dismiss(params.id, audit))
  endpoints.add(getSupportBundle, async ({ audit, reply }) => {
    const bundle = await makeSupportBundle(database.sql, {
      now: audit.now,
      system: await readStatus(),
      settings: config,
      failedTasks: await tasks.listFailed(database.sql, MAX_FAILED_TASKS),
    })
    await database.transaction((tx) =>
      writeAudit(tx, { action: 'support_bundle.made', entity: 'system', entityId: null }, audit),
    )
    const name = `pegasus-ops-${bundle.made_at.slice(0, 10)}.json`
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return reply.type('application/json').send(Buffer.from(`${JSON.stringify(bundle, null, 2)}\n`))
  })
}

/** Returns the free and total bytes of the volume of a folder. Returns null if the system does not report them. */
async function readRoom(
  folder: string,
): Promise<Pick<SystemStatus['storage'], 'free_bytes' | 'total_bytes'>> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
  } catch {
    return { free_bytes: null, total_bytes: null }
  }
}
