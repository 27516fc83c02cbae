import type { Model } from '@pegasus/contracts/stl-library/models'
import { createTorus } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { v7 as uuidv7 } from 'uuid'
import { loadRootSecret } from '../../../src/platform/root-secret.ts'
import { manyEntries } from '../../support/audit-factories.ts'
import type { TestApp } from '../../support/build-test-app.ts'
import { analyzed, upload } from '../../support/library/model-upload.ts'
import { aPicture } from '../../support/library/pictures.ts'
import { aSlice } from '../../support/library/slice-factories.ts'
import { sendForm } from '../../storage/media-upload.ts'
import { anItem, anOrder, aPrinter, aPrintJob, aProduct, aSpool } from '../../support/stock-factories.ts'

/** The ids of objects for the requests, by kind. The first object of each kind has the most related rows. */
export type ShopIds = Readonly<Record<Kind, readonly string[]>>

export type Kind =
  | 'item'
  | 'location'
  | 'spool'
  | 'order'
  | 'line'
  | 'model'
  | 'version'
  | 'slice'
  | 'product'
  | 'draft'
  | 'job'
  | 'printer'
  | 'account'
  | 'movement'
  | 'entry'
  | 'alert'

const idOfRow = (block: number): string =>
  `('0189${block.toString().padStart(4, '0')}-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`

/**
 * Adds `count` copies of a row. `values` contains an SQL expression for each column that differs. In it, `n` is the
 * number of the copy. `trigger` is disabled during the copying, because it would refuse rows without a movement.
 */
async function copyRow(
  { database }: TestApp,
  table: string,
  {
    where,
    count,
    values,
    trigger,
  }: { where: string; count: number; values: Record<string, string>; trigger?: string },
): Promise<void> {
  const columns = await database.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' and is_identity = 'NO'`
  const names = columns.map(({ name }) => name)
  const list = names.map((name) => `"${name}"`).join()
  const cells = names.map((name) => values[name] ?? `t."${name}"`).join()
  await database.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`
    if (trigger) await tx.unsafe(`alter table ${table} disable trigger ${trigger}`)
    await tx.unsafe(
      `insert into ${table} (${list}) select ${cells} from ${table} t, generate_series(1, ${count}) n where ${where}`,
    )
    // A pending deferred trigger, such as one of the search, would keep the table from being changed.
    await tx`set constraints all immediate`
    if (trigger) await tx.unsafe(`alter table ${table} enable trigger ${trigger}`)
  })
}

/**
 * Number of printers on a large farm. Each printer costs money and space, so nobody has thousands of them.
 */
const FARM = 100

/** The path of a picture whose bytes are stored. */
export const PICTURE = 'images/products/gear.jpg'

/** Stores a picture and a model with their bytes. Returns the model's id. */
async function storeFiles(app: TestApp): Promise<string> {
  const staff = await app.as('staff')
  const bytes = await aPicture({ width: 3000, height: 3000 })
  const stored = await sendForm(app, staff, { path: PICTURE, bytes })
  const file = { name: 'gear.stl', bytes: writeBinaryStl(createTorus(20, 7, 64)) }
  const model = await upload(app, staff, file, { title: 'Gear', description: 'a gear '.repeat(1000) })
  if (stored.statusCode !== 200 || model.statusCode !== 201) throw new Error(`${stored.body} ${model.body}`)
  const { id } = model.json<Model>()
  await analyzed(app, staff, id)
  return id
}

/**
 * Creates an object of each kind, and then `rows` copies of each object and its related rows. Returns ids for requests.
 */
export async function fillShop(app: TestApp, rows: number): Promise<ShopIds> {
  const { sql } = app.database
  const placeId = uuidv7()
  await sql`
    insert into locations (id, kind, name, path, created_at, updated_at)
    values (${placeId}, 'place', 'Shelf', 'Shelf', now(), now())`
  const itemId = await anItem(app, { name: 'Gear wall hook', sku: 'SKU-0' })
  const spoolId = await aSpool(app)
  const orderId = await anOrder(app, {
    lines: [{ sku: 'SKU-0', name: 'Gear wall hook', quantity: 1, unitPriceMinor: 100, itemId }],
  } as never)
  const modelId = await storeFiles(app)
  await aSlice(app, modelId)
  const productId = await aProduct(app, { slug: 'gear' })
  const jobId = await aPrintJob(app, { itemId })
  const printerId = await aPrinter(app, 'Printer')
  const callers = (await sql<{ id: string }[]>`select id from accounts`).map(({ id }) => id)

  const copy = (table: string, id: string, block: number, values: Record<string, string>, trigger?: string) =>
    copyRow(app, table, {
      where: `t.id = '${id}'`,
      count: rows,
      values: { id: idOfRow(block), created_at: `t.created_at - n * interval '1 minute'`, ...values },
      ...(trigger && { trigger }),
    })
  await copy('locations', placeId, 1, { name: `'Shelf ' || n`, path: `'Shelf ' || n` })
  await copy(
    'items',
    itemId,
    2,
    { sku: `'SKU-' || n`, name: `'Gear hook ' || n`, quantity: '3', reorder_point: '5' },
    'items_quantity_guard',
  )
  // Without these columns, the trigger applies the copied movements one by one.
  const applied = { delta: '1', quantity_after: 'null', reserved_after: 'null' }
  await copy('movements', await firstOf(app, 'movements', 'item_id', itemId), 3, applied)
  await copy('spools', spoolId, 4, { remaining_grams: '500' }, 'spools_remaining_guard')
  await copy('orders', orderId, 5, { order_number: `'N-' || n`, external_id: 'null' })
  const lineId = await firstOf(app, 'order_lines', 'order_id', orderId)
  await copyRow(app, 'order_lines', {
    where: `t.id = '${lineId}'`,
    count: Math.min(rows, 999),
    values: { id: idOfRow(6), position: 'n + 1', external_line_id: 'null' },
  })
  await copyRow(app, 'order_lines', {
    where: `t.id = '${lineId}'`,
    count: rows,
    values: { id: idOfRow(7), order_id: idOfRow(5), external_line_id: 'null' },
  })
  await copyModels(app, modelId, rows)
  await copy('products', productId, 10, { slug: `'gear-' || n`, name: `'Gear ' || n`, making_id: 'null' })
  await copy('print_jobs', jobId, 11, { external_id: 'null', position: 'n' })
  await copyRow(app, 'printers', {
    where: `t.id = '${printerId}'`,
    count: Math.min(rows, FARM),
    values: { id: idOfRow(12), name: `'Printer ' || n` },
  })
  await sql`
    insert into alerts (id, kind, facts, title, entity_id, created_at)
    select ('01890013-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'low_stock',
           '{"sku": "SKU-0", "quantity": 1, "reorder_point": 5}', 'Gear is low', ${itemId}, now()
    from generate_series(1, ${rows}::int) n`
  await sql`
    insert into alert_deliveries (alert_id, account_id, created_at, in_app, is_mail_due)
    select a.id, c.id, a.created_at, true, false from alerts a, accounts c`
  await sql`
    insert into drafts (id, account_id, title, content, is_shared, created_at, updated_at)
    select ('01890014-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, c.id, 'Gear', '{"name": "Gear"}', true, now(), now()
    from generate_series(1, ${Math.min(rows, 200)}::int) n,
         (select id from accounts limit 1) c`
  await sql`
    insert into objects (id, bucket_id, name, storage_key, sha256, size_bytes, content_type, cache_control, version,
                         created_at, updated_at)
    select gen_random_uuid(), 'product-images', 'images/products/gear-' || n || '.jpg', 'media/none', repeat('0', 64), 1,
           'image/jpeg', 'max-age=3600', gen_random_uuid(), now(), now()
    from generate_series(1, ${rows}::int) n`
  await copyAccounts(app, rows, callers)
  await manyEntries(app, rows)
  await sql`analyze`
  return readIds(app, {
    item: itemId,
    location: placeId,
    spool: spoolId,
    order: orderId,
    model: modelId,
    product: productId,
    job: jobId,
    printer: printerId,
  })
}

async function firstOf({ database }: TestApp, table: string, column: string, id: string): Promise<string> {
  const [row] = await database.sql.unsafe<{ id: string }[]>(
    `select id from ${table} where ${column} = '${id}' limit 1`,
  )
  if (!row) throw new Error(`No row of ${table}`)
  return row.id
}

/** Adds models with one version each. The first model also gets many versions and sliced files. */
async function copyModels(app: TestApp, modelId: string, rows: number): Promise<void> {
  const versionId = await firstOf(app, 'stl_versions', 'stl_file_id', modelId)
  const sliceId = await firstOf(app, 'sliced_files', 'stl_file_id', modelId)
  const { sql } = app.database
  await app.database.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      insert into stl_files (id, title, description, tags, license_type, current_version_id, created_at, updated_at)
      select ('01890008-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Gear ' || n, left(t.description, 300),
             array['gear', 'tag' || n % 500], 'CC0', ('01890009-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
             t.created_at - n * interval '1 minute', t.updated_at
      from stl_files t, generate_series(1, ${rows}::int) n where t.id = ${modelId}`
    await tx`
      insert into stl_versions (id, stl_file_id, number, file_name, file_size, sha256, object_key, format, triangles,
                                analysis_status, created_at)
      select ('01890009-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
             ('01890008-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 1, 'gear.stl', 684,
             encode(sha256(n::text::bytea), 'hex'), 'models/none', 'stl', 12, 'done', t.created_at
      from stl_versions t, generate_series(1, ${rows}::int) n where t.id = ${versionId}`
  })
  const [{ count }] = await sql<[{ count: number }]>`select least(${rows}::int, 500) as count`
  await copyRow(app, 'stl_versions', {
    where: `t.id = '${versionId}'`,
    count,
    values: { id: idOfRow(15), number: 'n + 1', sha256: `encode(sha256(('v' || n)::bytea), 'hex')` },
  })
  await copyRow(app, 'sliced_files', {
    where: `t.id = '${sliceId}'`,
    count,
    values: { id: idOfRow(16), sha256: `encode(sha256(('s' || n)::bytea), 'hex')` },
  })
}

/** Adds accounts, with sessions, keys and emails for them. */
async function copyAccounts(
  { database: { sql }, dataDir }: TestApp,
  rows: number,
  callers: readonly string[],
): Promise<void> {
  const mail = { text: 'A link for you. '.repeat(50), links: ['https://example.com/a-link'] }
  const sealed = (await loadRootSecret({ dataDir })).seal('outbox-mail', JSON.stringify(mail))
  await sql`
    insert into accounts (id, email, username, created_at)
    select ('01890017-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'person-' || n || '@example.com', 'person-' || n,
           now()
    from generate_series(1, ${rows}::int) n`
  await sql`
    insert into api_keys (id, account_id, label, scopes, key_prefix, key_hash, created_at, updated_at)
    select gen_random_uuid(), c.id, 'Key ' || n, '{print-jobs}', 'k' || lpad(n::text, 7, '0'), sha256(n::text::bytea),
           now(), now()
    from generate_series(1, ${rows}::int) n, (select id from accounts limit 1) c`
  await sql`
    insert into outbox_mails (id, recipient, subject, body_sealed, created_at)
    select gen_random_uuid(), 'person@example.com', 'Hello', ${sealed}, now() from generate_series(1, ${rows}::int) n`
  await sql`
    insert into saved_searches (id, account_id, name, query, created_at)
    select gen_random_uuid(), c.id, 'Search ' || n, 'search=gear', now()
    from generate_series(1, ${Math.min(rows, 100)}::int) n, unnest(${[...callers]}::uuid[]) c (id)`
  await sql`
    insert into sessions (id, account_id, amr, user_agent, created_at, refreshed_at, authenticated_at)
    select gen_random_uuid(), c.id, '[]', 'Firefox', now(), now(), now()
    from generate_series(1, ${Math.min(rows, 1000)}::int) n, unnest(${[...callers]}::uuid[]) c (id)`
}

async function readIds(app: TestApp, first: Partial<Record<Kind, string>>): Promise<ShopIds> {
  const TABLES: Readonly<Record<Kind, string>> = {
    item: 'items',
    location: 'locations',
    spool: 'spools',
    order: 'orders',
    line: 'order_lines',
    model: 'stl_files',
    version: 'stl_versions',
    slice: 'sliced_files',
    product: 'products',
    draft: 'drafts',
    job: 'print_jobs',
    printer: 'printers',
    account: 'accounts',
    movement: 'movements',
    entry: 'spool_ledger',
    alert: 'alerts',
  }
  const ids: [Kind, string[]][] = []
  for (const [kind, table] of Object.entries(TABLES) as [Kind, string][]) {
    const where =
      kind === 'line'
        ? `where order_id = '${first.order}'`
        : kind === 'account'
          ? `where username like 'person-%'`
          : ''
    const found = await app.database.sql.unsafe<{ id: string }[]>(
      `select id from ${table} ${where} order by id limit 1000`,
    )
    const head = first[kind] ? [first[kind]] : []
    ids.push([kind, [...head, ...found.map(({ id }) => id).filter((id) => id !== first[kind])]])
  }
  return Object.fromEntries(ids) as unknown as ShopIds
}
