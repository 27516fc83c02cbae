import { hash } from '@node-rs/argon2'
import type { Queryable } from '../../src/platform/database/database.ts'

/** The oldest schema from which upgrades are tested: the number of its last migration. */
export const OLDEST_VERSION = '0012'

export const OLD_OWNER = { username: 'upgraded', password: 'Quiet-Harbour-27-Lantern' } as const

const AT = '2024-03-05T08:00:00.000Z'
const ITEMS = 40

/** Numbers of objects in the shop. They must be the same after an upgrade. */
export const OLD_SHOP = {
  items: ITEMS,
  pieces: ITEMS * 7,
  orders: 3,
  models: 2,
  spools: 1,
  products: 1,
} as const

/** Returns an id that is the same in every run. It contains the number of the kind and the number of the object. */
const idOf = (kind: number, number: number): string =>
  `00000000-0000-7000-8000-${String(kind).padStart(4, '0')}${String(number).padStart(8, '0')}`

/**
 * Writes a small shop: people, models, stock, filament, orders, print jobs, products and a publication. Uses
 * only tables and columns of the oldest version, so it works on the schema of every version.
 */
export async function writeOldShop(tx: Queryable): Promise<void> {
  const owner = idOf(1, 1)
  // A fixed salt gives two shops equal rows.
  const cost = { memoryCost: 8, timeCost: 1, parallelism: 1, salt: Buffer.alloc(16, 7) }
  const passwordHash = await hash(OLD_OWNER.password, cost)
  await tx`
    insert into accounts (id, email, username, password_hash, email_confirmed_at, approved_at, created_at, updated_at)
    values (${owner}, 'owner@example.com', ${OLD_OWNER.username}, ${passwordHash}, ${AT}, ${AT}, ${AT}, ${AT}),
      (${idOf(1, 2)}, 'viewer@example.com', 'viewer', null, ${AT}, ${AT}, ${AT}, ${AT})`
  await tx`
    insert into profiles (account_id, full_name, system_access, created_at, updated_at)
    values (${owner}, 'Olga Owner', true, ${AT}, ${AT})`
  await tx`
    insert into user_roles (id, user_id, role_name, created_at) values (${idOf(2, 1)}, ${owner}, 'owner', ${AT})`
  await tx`
    insert into identities (id, account_id, provider, provider_subject, created_at, updated_at)
    values (${idOf(3, 1)}, ${owner}, 'email', ${owner}, ${AT}, ${AT})`
  for (const number of [1, 2]) {
    await tx`
      insert into stl_files (id, title, tags, license_type, current_version_id, created_at, updated_at)
      values (${idOf(4, number)}, ${`Bracket ${number}`}, '{wall,desk}', 'cc0', ${idOf(5, number)}, ${AT}, ${AT})`
    await tx`
      insert into stl_versions (id, stl_file_id, number, file_name, file_size, sha256, object_key, format,
        analysis_status, created_at)
      values (${idOf(5, number)}, ${idOf(4, number)}, 1, 'bracket.stl', 84, ${`${number}`.repeat(64)},
        ${`models/${`${number}`.repeat(64)}`}, 'stl', 'done', ${AT})`
  }
  await tx`
    insert into locations (id, kind, name, path, created_at, updated_at)
    values (${idOf(6, 1)}, 'place', 'Rack A', 'Rack A', ${AT}, ${AT})`
  for (let number = 1; number <= ITEMS; number += 1) {
    const itemId = idOf(7, number)
    await tx`
      insert into items (id, name, sku, stl_file_id, reorder_point, max_stock, location_id, material_used, color,
        created_at, updated_at)
      values (${itemId}, ${`Bracket ${number}`}, ${`OLD-${number}`}, ${idOf(4, 1)}, 2, 20, ${idOf(6, 1)}, 'PLA', 'Black',
        ${AT}, ${AT})`
    // A trigger of `movements` calculates `quantity_after` and `reserved_after`.
    await tx`
      insert into movements (id, item_id, kind, delta, quantity_after, reserved_after, actor_kind, actor_name, created_at)
      values (${idOf(8, number * 2)}, ${itemId}, 'receive', 10, 0, 0, 'system', 'x', ${AT}),
        (${idOf(8, number * 2 + 1)}, ${itemId}, 'scrap', -3, 0, 0, 'system', 'x', ${AT})`
  }
  await tx`
    insert into filaments (id, name, material, color, density_g_cm3, weight_grams, low_stock_grams, created_at, updated_at)
    values (${idOf(9, 1)}, 'Basic', 'PLA', 'Black', 1.24, 1000, 200, ${AT}, ${AT})`
  await tx`
    insert into spools (id, filament_id, weight_grams, created_at, updated_at)
    values (${idOf(10, 1)}, ${idOf(9, 1)}, 1000, ${AT}, ${AT})`
  await tx`
    insert into spool_ledger (id, spool_id, kind, delta_grams, before_grams, after_grams, actor_kind, actor_name, created_at)
    values (${idOf(11, 1)}, ${idOf(10, 1)}, 'open', 1000, 0, 0, 'system', 'x', ${AT}),
      (${idOf(11, 2)}, ${idOf(10, 1)}, 'use', -120.5, 0, 0, 'system', 'x', ${AT})`
  for (const [index, status] of ['pending', 'completed', 'cancelled'].entries()) {
    const orderId = idOf(12, index + 1)
    await tx`
      insert into orders (id, order_number, customer_name, status, total_minor, currency, placed_at, due_at, source,
        created_at, updated_at)
      values (${orderId}, ${`A-${index + 1}`}, 'Ada', ${status}, 4200, 'USD', ${AT}, ${AT}, 'integration', ${AT}, ${AT})`
    await tx`
      insert into order_lines (id, order_id, position, sku, name, quantity, unit_price_minor, item_id)
      values (${idOf(13, index * 2 + 1)}, ${orderId}, 1, 'OLD-1', 'Bracket 1', 2, 1400, ${idOf(7, 1)}),
        (${idOf(13, index * 2 + 2)}, ${orderId}, 2, 'UNKNOWN', 'Hook', 1, 1400, null)`
  }
  for (const [index, status] of ['pending', 'completed', 'failed'].entries()) {
    const jobId = idOf(14, index + 1)
    const finishedAt = status === 'pending' ? null : AT
    await tx`
      insert into print_jobs (id, item_id, stl_file_id, quantity, good_quantity, status, priority, finished_at, order_id,
        order_line_id, created_at, updated_at)
      values (${jobId}, ${idOf(7, 1)}, ${idOf(4, 1)}, 2, ${status === 'completed' ? 2 : 0}, ${status}, 5, ${finishedAt},
        ${idOf(12, 1)}, ${idOf(13, 1)}, ${AT}, ${AT})`
    await tx`
      insert into job_transitions (id, print_job_id, to_status, actor_kind, actor_name, created_at)
      values (${idOf(15, index + 1)}, ${jobId}, ${status}, 'system', 'x', ${AT})`
  }
  await tx`
    insert into printers (id, name, model, state, created_at, updated_at)
    values (${idOf(16, 1)}, 'Left', 'MK4', 'available', ${AT}, ${AT})`
  await tx`
    insert into products (id, name, slug, category, price_minor, stock, description, item_id, created_at, updated_at)
    values (${idOf(17, 1)}, 'Bracket', 'bracket', 'tools', 1400, 7, 'Holds things.', ${idOf(7, 1)}, ${AT}, ${AT})`
  await tx`insert into product_models (product_id, stl_file_id, position) values (${idOf(17, 1)}, ${idOf(4, 1)}, 1)`
  await tx`
    insert into drafts (id, account_id, title, content, created_at, updated_at)
    values (${idOf(18, 1)}, ${owner}, 'Hook', '{}', ${AT}, ${AT})`
}
