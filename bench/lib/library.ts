import {
  type Database,
  type Queryable,
  openDatabase,
} from '../../apps/server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded/embedded-postgres.ts'
import { type ModelData, generateModels } from './library-data.ts'
import type { Request } from './http-client.ts'
import { benchLog } from './log.ts'
import type { Scratch } from './scratch.ts'
import { ACCOUNT, startProductProcess } from './server-process.ts'
import { MODEL_COUNT } from './settings.ts'

/** A database with a library. It is deleted when the run ends. */
export interface Library {
  database: Database
  /** Address of the database, for the measured processes. */
  databaseUrl: string
  /** The id of the account that the server created. */
  accountId: string
  /** The hash of that account's password, as the server stores it. */
  passwordHash: string
}

const opened = new WeakMap<Scratch, Promise<Library>>()

/**
 * Returns the library of this run, which is created at its first use. It has 100,000 models on the embedded PostgreSQL.
 */
export function useLibrary(scratch: Scratch): Promise<Library> {
  const library = opened.get(scratch) ?? makeLibrary(scratch, 'library', MODEL_COUNT)
  opened.set(scratch, library)
  return library
}

/** Creates a library with `count` models, in its own database in the folder with this name. */
export async function makeLibrary(scratch: Scratch, folder: string, count: number): Promise<Library> {
  const startedAt = performance.now()
  const postgres = await startEmbeddedPostgres({ dataDir: `${scratch.folder}/${folder}`, log: benchLog })
  scratch.onEnd(() => postgres.stop())
  const { host, port, user, password, database: name } = postgres.connection
  const databaseUrl = `postgres://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
  const database = await openDatabase({ url: databaseUrl, log: benchLog, applicationName: 'bench' })
  scratch.onEnd(() => database.close())
  // The server itself creates the tables and the account.
  await (
    await startProductProcess(scratch, `${scratch.folder}/product`, { DATABASE_URL: databaseUrl })
  ).stop()
  const [owner] = await database.sql<[{ id: string; password_hash: string }]>`select * from accounts`
  const accountId = owner.id
  await fill(database, accountId, count)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`\n(A library of ${count.toLocaleString('en-GB')} models was created in ${seconds} s.)`)
  return { database, databaseUrl, accountId, passwordHash: owner.password_hash }
}

/** The number of models that one transaction inserts. `LANES` transactions run in parallel. */
const CHUNK = 10_000
const LANES = 4

/**
 * Fills the library. Rows are inserted in chunks, because individual inserts would take most of the time. Derived
 * data is built afterwards, for all rows at once.
 */
async function fill(database: Database, accountId: string, count: number): Promise<void> {
  const chunks = chunksOf(generateModels(count))
  const work = await database.sql.reserve()
  try {
    await work.unsafe(`set statement_timeout = 0; set maintenance_work_mem = '512MB'`)
    const indexes = await work<{ name: string; definition: string }[]>`
      select c.relname as name, pg_get_indexdef(c.oid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = any(array['stl_files', 'stl_versions']::regclass[]) and not i.indisunique`
    for (const { name } of indexes) await work`drop index ${work(name)}`
    await Promise.all(Array.from({ length: LANES }, () => fillLane(database, chunks, accountId)))
    for (const { definition } of indexes) await work.unsafe(definition)
    // Update the statistics. With outdated ones, the query planner would choose other plans than in a real library.
    await work`vacuum analyze`
  } finally {
    await work.unsafe('reset statement_timeout; reset maintenance_work_mem')
    work.release()
  }
}

function* chunksOf(models: Iterable<ModelData>): Generator<ModelData[]> {
  let chunk: ModelData[] = []
  for (const model of models) {
    chunk.push(model)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/** Inserts chunks until none is left. All lanes take their chunks from the same generator. */
async function fillLane(
  database: Database,
  chunks: Generator<ModelData[]>,
  accountId: string,
): Promise<void> {
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    const models = next.value
    // The two tables refer to each other, so their foreign keys are checked only at the end of the transaction.
    await database.transaction(async (tx) => {
      await tx`set local statement_timeout = 0`
      await tx`set local lock_timeout = 0`
      await insert(
        tx,
        'stl_versions',
        models.map((model) => versionRow(model, accountId)),
      )
      await insert(tx, 'stl_files', models.map(modelRow))
    })
  }
}

type Row = Record<string, unknown>

const modelRow = (model: ModelData): Row => ({
  id: model.id,
  title: model.title,
  description: model.description,
  tags: model.tags,
  license_type: model.licenseType,
  print_material: model.material,
  print_notes: model.notes,
  current_version_id: model.versionId,
  created_at: model.createdAt,
  updated_at: model.createdAt,
})

const versionRow = (model: ModelData, accountId: string): Row => ({
  id: model.versionId,
  stl_file_id: model.id,
  number: 1,
  file_name: model.fileName,
  file_size: model.sizeBytes,
  sha256: model.sha256,
  object_key: `models/${model.sha256}`,
  format: 'stl',
  encoding: 'binary',
  triangles: model.triangles,
  bounding_box_mm: model.box,
  volume_mm3: model.volumeMm3,
  surface_area_mm2: model.areaMm2,
  is_watertight: model.isWatertight,
  shells: 1,
  analysis_status: 'done',
  thumbnail_key: `thumbnails/${model.sha256}-v1.webp`,
  uploaded_by: accountId,
  created_at: model.createdAt,
})

async function insert(tx: Queryable, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  await tx.unsafe(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  )
}

export const signInRequest = (): Request => ({
  method: 'POST',
  path: '/auth/login',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: ACCOUNT.username, password: ACCOUNT.password }),
})

/** Signs in to a running server. */
export async function signIn(port: number): Promise<{ accessToken: string; sessionId: string }> {
  const { method, path, headers, body } = signInRequest()
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: headers!, body: body! })
  if (!response.ok) throw new Error(`sign-in answered ${response.status}`)
  const { access_token: accessToken } = (await response.json()) as { access_token: string }
  const claims = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()
  return { accessToken, sessionId: (JSON.parse(claims) as { session_id: string }).session_id }
}
