import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { createSpool } from '../../src/modules/filament/index.ts'
import { createPrintJob, findRunningPlate, finishPlate } from '../../src/modules/print-queue/index.ts'
import { SYSTEM_ACTOR } from '../../src/platform/actor.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { openDiskStorage } from '../../src/platform/storage/disk-storage.ts'
import { FORMATS, PRINTER_KEY, type Protocol, type SimulatedPrinter } from '../servers/simulated-printers.ts'
import { createTestItem } from '../support/create-test-item.ts'
import { silentLog } from '../support/silent-log.ts'
import { type ProductProcess, bearer, signIn } from './product-process.ts'

/** A printer, a spool, a sliced model and its item in a running server. */
export interface DispatchFloor {
  printerId: string
  spoolId: string
  itemId: string
}

/** The tool of every sliced file, in the form in which the server stores it. */
const TOOLS = [{ tool: 0, material: 'PLA', color_hex: null, grams: 12, metres: 4 }]

const by = () => ({ actor: SYSTEM_ACTOR, now: new Date() })

/**
 * Adds a sliced file to the given model, or to a new one. Writes to the database and the object folder of the running
 * server. Returns the model's id.
 */
export async function addSlicedModel(
  database: Database,
  slice: { dataDir: string; bytes: Buffer; kind: Protocol; pieces?: number; modelId?: string },
): Promise<string> {
  const { dataDir, bytes, kind, pieces = 1 } = slice
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const key = `slices/${sha256}`
  const storage = await openDiskStorage({ folder: join(dataDir, 'objects'), log: silentLog })
  await storage.put(key, Readable.from([bytes]))
  const [modelId, versionId, now] = [slice.modelId ?? uuidv7(), uuidv7(), new Date()]
  await database.transaction(async (tx) => {
    if (slice.modelId === undefined) {
      await tx`
        insert into stl_files (id, title, license_type, current_version_id, created_at, updated_at)
        values (${modelId}, 'Gear', 'CC0', ${versionId}, ${now}, ${now})`
      await tx`
        insert into stl_versions (id, stl_file_id, number, file_name, file_size, sha256, object_key, format, triangles,
                                  analysis_status, created_at)
        values (${versionId}, ${modelId}, 1, 'gear.stl', 684, ${sha256}, ${`models/${sha256}`}, 'stl', 12, 'done', ${now})`
    }
    await tx`
      insert into sliced_files (id, stl_file_id, stl_version_id, object_key, file_name, file_size, sha256, format,
                                printer_model, nozzle_mm, material, grams, metres, tools, minutes, pieces, actor_kind, actor_name,
                                created_at, updated_at)
      select ${uuidv7()}, m.id, m.current_version_id, ${key}, ${`gear.${FORMATS[kind]}`}, ${bytes.length}, ${sha256},
             ${FORMATS[kind]}, 'MK4S', 0.4, 'PLA', 12, 4, ${tx.json(TOOLS)}, 90, ${pieces}, 'system', 'Test', ${now}, ${now}
      from stl_files m where m.id = ${modelId}`
  })
  return modelId
}

/**
 * Adds the printer through the running server, because its key is encrypted. The other objects are written to the
 * database directly.
 */
export async function addFloor(options: {
  product: ProductProcess
  database: Database
  dataDir: string
  printer: SimulatedPrinter
  kind: Protocol
  bytes: Buffer
}): Promise<DispatchFloor> {
  const { product, database, dataDir, printer, kind, bytes } = options
  const { access_token: token } = await signIn(product.url)
  const added = await fetch(`${product.url}/api/printers`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Left',
      kind,
      model: 'MK4S',
      nozzle_mm: 0.4,
      address: printer.url,
      api_key: PRINTER_KEY,
    }),
  })
  if (!added.ok) throw new Error(`${added.status} ${await added.text()}`)
  const { id: printerId } = (await added.json()) as { id: string }
  const modelId = await addSlicedModel(database, { dataDir, bytes, kind })
  const itemId = await database.transaction((tx) => createTestItem(tx, { name: 'Gear', quantity: 0 }, by()))
  const spoolId = await database.transaction(async (tx) => {
    const spool = { material: 'PLA', brand: 'Brand', name: 'Basic', color: 'White', weightGrams: 10_000 }
    return (await createSpool(tx, spool, by())).id
  })
  await database.sql`update items set stl_file_id = ${modelId} where id = ${itemId}`
  await database.sql`
    insert into printer_slots (printer_id, slot, spool_id, loaded_at) values (${printerId}, 1, ${spoolId}, now())
    on conflict (printer_id, slot) do update set spool_id = excluded.spool_id`
  return { printerId, spoolId, itemId }
}

/** Takes the plate off the bed, so that its pieces are counted. */
export async function clearPlate(database: Database, { printerId }: DispatchFloor): Promise<void> {
  const plate = await findRunningPlate(database.sql, printerId)
  if (plate) await database.transaction((tx) => finishPlate(tx, plate.id, { isOnBed: false }, by()))
}

/** Adds a job with one piece that waits for the printer. */
export async function addWaitingJob(database: Database, { itemId, printerId }: DispatchFloor): Promise<void> {
  await database.transaction(async (tx) => {
    const id = await createPrintJob(tx, { itemId, quantity: 1 }, by())
    await tx`update print_jobs set assigned_printer_id = ${printerId} where id = ${id}`
  })
}
