import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../src/platform/database/database.ts'
import { isLongRun } from './product-process.ts'
import { silentLog } from '../support/silent-log.ts'

/**
 * Makes the server treat processes without a heartbeat as lost. The long run waits the usual half minute. The short run
 * sets the heartbeats back instead.
 */
export async function forgetLostProcesses(dataDir: string, before: Date): Promise<void> {
  if (isLongRun) return
  const [host = '', port = ''] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'))
    .split('\n')
    .slice(3, 5)
    .reverse()
  const password = await readFile(join(dataDir, 'secrets', 'postgres-password'), 'utf8')
  const connection = { host, port: Number(port), user: 'pegasus', password, database: 'pegasus' }
  const database = await openDatabase({ connection, log: silentLog, applicationName: 'test' })
  await database.sql`
    update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute'
    where state = 'active' and started_on < ${before}`
  await database.close()
}
