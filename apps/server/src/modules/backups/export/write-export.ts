import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type CsvCell, csvHeader, csvLine } from '@pegasus/contracts/csv-text'
import type { BulkConnection } from '../../../platform/database/bulk-copy.ts'
import { makeFolder } from '../../../platform/storage/durable-files.ts'
import { BackupError } from '../backup-format.ts'
import { type CopiedTable, listTables } from '../copy-tables.ts'
import { exportedTables } from './exported-tables.ts'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

/** The number of rows and tables in an export. */
export interface WrittenExport {
  path: string
  tables: number
  rows: number
}

/**
 * Writes all data of one moment into a new archive, each table as CSV and as JSON Lines, while people keep working. The
 * archive contains no passwords, keys, tokens or sessions. Throws BackupError if the file exists.
 */
export async function writeExport(
  path: string,
  connection: BulkConnection,
  now: () => Date,
): Promise<WrittenExport> {
  const target = resolve(path)
  const exists = await access(target).then(
    () => true,
    () => false,
  )
  if (exists) throw new BackupError(`${target} already exists. Nothing was exported.`)
  await makeFolder(dirname(target))
  // Only the account of the server can read this folder, and the tables are complete only here.
  const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
  try {
    await connection.run('begin isolation level repeatable read, read only')
    const tables = exportedTables(await listTables(connection))
    if (tables.length === 0) throw new BackupError('The database has no data of Pegasus Ops.')
    const madeAt = now()
    let rows = 0
    for (const table of tables) rows += await writeTable(connection, table, folder)
    await connection.run('commit')
    const names = tables.flatMap(({ name }) => [`${name}.csv`, `${name}.jsonl`])
    const archive = join(folder, 'archive')
    await pipeline(
      Readable.from(archiveOf(folder, names, madeAt)),
      createGzip(),
      createWriteStream(archive, { mode: 0o600, flush: true }),
    )
    await rename(archive, target)
    return { path: target, tables: tables.length, rows }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes both files of a table. Returns the number of rows. */
async function writeTable(
  connection: BulkConnection,
  { name, columns }: CopiedTable,
  folder: string,
): Promise<number> {
  const write = (file: string) => createWriteStream(join(folder, file), { mode: 0o600 })
  const jsonLines = join(folder, `${name}.jsonl`)
  await pipeline(connection.readJsonLines(name, columns), write(`${name}.jsonl`))
  let rows = 0
  async function* csv() {
    yield csvHeader(columns)
    for await (const line of linesOf(jsonLines)) {
      rows += 1
      const values = JSON.parse(line) as Record<string, unknown>
      yield csvLine(columns.map((column) => cellOf(values[column])))
    }
  }
  await pipeline(Readable.from(csv()), write(`${name}.csv`))
  return rows
}

/** Yields the lines of a file. The module `readline` would also split texts at U+2028. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Lists and objects become JSON texts. */
const cellOf = (value: unknown): CsvCell =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as CsvCell)

async function* archiveOf(folder: string, names: readonly string[], madeAt: Date): AsyncGenerator<Buffer> {
  for (const name of names) {
    const file = join(folder, name)
    const { size } = await stat(file)
    yield tarHeader(name, size, madeAt)
    yield* createReadStream(file)
    yield tarPadding(size)
  }
  yield TAR_END
}
