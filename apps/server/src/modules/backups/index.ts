import { getBackups, startBackup, updateBackupSchedule } from '@pegasus/contracts/backups'
import { MINUTE_MS } from '../../platform/clock.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import { type Backups, createBackups } from './backups.service.ts'

export {
  type BackupConfig,
  checkBackup,
  findBackup,
  makeBackup,
  makeExport,
  restoreBackup,
} from './backup-commands.ts'
export { BackupError } from './backup-format.ts'
export { claimBackupAlerts } from './backups.service.ts'

/**
 * Adds backups, which run on request or by a schedule. `npm run backup` and `npm run restore` use the functions that
 * are exported above.
 */
export function addBackups(
  endpoints: Endpoints,
  deps: Parameters<typeof createBackups>[0],
): { scheduler: Poller; purge: Backups['purge'] } {
  const backups = createBackups(deps)
  endpoints.add(getBackups, () => backups.read())
  endpoints.add(startBackup, ({ caller }) => backups.start(caller))
  endpoints.add(updateBackupSchedule, ({ body, audit }) => backups.setSchedule(body, audit))
  const scheduler = createPoller({
    name: 'the schedule of backups',
    pauseMs: MINUTE_MS,
    work: () => backups.startIfDue(),
    log: deps.log,
  })
  return { scheduler, purge: () => backups.purge() }
}
