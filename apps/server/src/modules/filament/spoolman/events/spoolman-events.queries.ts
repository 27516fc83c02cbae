import type { Queryable } from '../../../../platform/database/database.ts'
import { type FilamentRow, type VendorRow, filamentJson, vendorJson } from '../spoolman.queries.ts'

/** Finds a vendor by its id, also in the trash. */
export async function findChangedVendor(sql: Queryable, id: string): Promise<VendorRow | null> {
  const [found] = await sql<{ row: VendorRow }[]>`
    select ${vendorJson(sql)} as row from vendors v where v.id = ${id}`
  return found?.row ?? null
}

/** Finds a filament by its id, also in the trash. */
export async function findChangedFilament(sql: Queryable, id: string): Promise<FilamentRow | null> {
  const [found] = await sql<{ row: FilamentRow }[]>`
    select ${filamentJson(sql)} as row from filaments f left join vendors v on v.id = f.vendor_id where f.id = ${id}`
  return found?.row ?? null
}
