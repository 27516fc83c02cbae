import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The fields of a backup's manifest that the messages need. */
interface Manifest {
  madeAt: string
  tables: readonly { rows: number }[]
  objects: readonly { objectBytes: number }[]
}

interface Config {
  logLevel: string
  backupDir: string
  backupKey: string | null
}

interface Options {
  config: Config
  migrations: string
  version: string
  log: object
}

interface Backups {
  BackupError: new (sentence: string) => Error
  findBackup(path: string): Promise<string>
  checkBackup(backup: string, config: Config): Promise<Manifest>
  makeBackup(
    folder: string,
    options: Options & { keep: number | null },
  ): Promise<{
    path: string
    manifest: Manifest
    newObjects: number
    removed: string[]
    damaged: string[]
    failures: string[]
  }>
  makeExport(path: string, options: Options): Promise<{ path: string; tables: number; rows: number }>
  restoreBackup(backup: string, options: Options): Promise<Manifest>
}

/** Prints a line of a command's result. */
export const say = (line: string): void => console.log(line)

// Imported through a path that TypeScript does not resolve, so that the server's files are type-checked only in the
// server's own project.
const load = async (path: string): Promise<unknown> =>
  import(new URL(`../../apps/server/src/${path}`, import.meta.url).href)

/**
 * Runs `work` with the configuration from the environment. Prints an expected error as a sentence, without a stack
 * trace.
 */
export async function endWithSentence(
  work: (tools: { backups: Backups; options: Options; refuse: (sentence: string) => Error }) => Promise<void>,
): Promise<void> {
  const { StartupError } = (await load('platform/startup-error.ts')) as { StartupError: new () => Error }
  const backups = (await load('modules/backups/index.ts')) as Backups
  try {
    const { readConfig } = (await load('config.ts')) as { readConfig(): Config }
    const { openLog } = (await load('platform/log/log-options.ts')) as { openLog(level: string): object }
    const project = new URL('../../package.json', import.meta.url)
    const { version } = JSON.parse(await readFile(project, 'utf8')) as { version: string }
    const migrations = fileURLToPath(new URL('../../apps/server/migrations', import.meta.url))
    const options = { config: readConfig(), migrations, version, log: openLog('warn') }
    await work({ backups, options, refuse: (sentence) => new backups.BackupError(sentence) })
  } catch (error) {
    if (!(error instanceof backups.BackupError || error instanceof StartupError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** Describes how much a backup contains. */
export function backupNotes({ tables, objects }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = objects.reduce((sum, object) => sum + object.objectBytes, 0)
  return `${rows} rows in ${tables.length} tables, and ${objects.length} files of ${(bytes / 1e6).toFixed(1)} MB`
}
