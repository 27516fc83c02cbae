import type { ScanKind } from '@pegasus/contracts/labels/scan-codes'
import type { OrderStep } from '@pegasus/contracts/orders/order-steps'
import type { Row } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { findOrderSteps } from '../orders/index.ts'

export interface ItemFound
  extends Row<
    'scannable_items',
    | 'id'
    | 'name'
    | 'sku'
    | 'status'
    | 'quantity'
    | 'reserved_quantity'
    | 'reorder_point'
    | 'max_stock'
    | 'color_hex'
    | 'stl_file_id'
    | 'has_picture'
    | 'location_id'
    | 'location'
  > {
  kind: 'item'
  code: string
}

export interface LocationFound
  extends Row<'scannable_locations', 'id' | 'name' | 'path' | 'location_kind' | 'items' | 'spools'> {
  kind: 'location'
  code: string
}

export interface SpoolFound
  extends Row<
    'scannable_spools',
    | 'id'
    | 'name'
    | 'material'
    | 'brand'
    | 'color'
    | 'color_hex'
    | 'status'
    | 'remaining_grams'
    | 'weight_grams'
    | 'spool_weight_grams'
    | 'location_id'
    | 'location'
  > {
  kind: 'spool'
  code: string
}

export interface JobFound
  extends Row<
    'scannable_jobs',
    | 'id'
    | 'name'
    | 'status'
    | 'quantity'
    | 'good_quantity'
    | 'rejected_quantity'
    | 'priority'
    | 'order_number'
    | 'due_at'
    | 'color_hex'
    | 'stl_file_id'
    | 'picture_version'
  > {
  kind: 'print_job'
  code: string
  /** Whether the version that the job prints has a picture. */
  has_picture: Row<'scannable_jobs'>['has_picture']
  /** The running plates, sorted by number. */
  plates: (Row<'scannable_plates', 'id' | 'number' | 'pieces' | 'printer' | 'note'> & {
    can_complete: boolean
    is_by_hand: boolean
  })[]
}

export interface OrderFound extends Row<'placed_orders', 'id' | 'customer_name' | 'status' | 'due_at'> {
  kind: 'order'
  code: string
  name: string
  /** The steps that are possible now for people who may change orders. */
  steps: OrderStep[]
}

export interface ModelFound extends Row<'library_models', 'id' | 'is_product' | 'has_picture'> {
  kind: 'model'
  code: string
  name: string
  license_type: string
}

export interface PrinterFound
  extends Row<
    'scannable_printers',
    'id' | 'name' | 'model' | 'state' | 'state_reason' | 'location' | 'job_code' | 'slots' | 'loaded'
  > {
  kind: 'printer'
  code: string
  printer_kind: Row<'scannable_printers'>['kind']
  /** The plate on the bed of the printer. */
  plate: { id: string; number: number; pieces: number; note: string | null } | null
  next_slot: { slot: number; filament_id: string | null } | null
  loaded_spools: { code: string; material: string; color: string; color_hex: string | null }[]
}

export type Found = ItemFound | LocationFound | SpoolFound | JobFound | OrderFound | ModelFound | PrinterFound

const READS: Readonly<Record<ScanKind, (sql: Queryable, id: string) => Promise<Found[]>>> = {
  item: (sql, id) => sql<ItemFound[]>`
    select 'item' as kind, label_code as code, * from scannable_items where id = ${id}`,
  location: (sql, id) => sql<LocationFound[]>`
    select 'location' as kind, label_code as code, * from scannable_locations where id = ${id}`,
  spool: (sql, id) => sql<SpoolFound[]>`
    select 'spool' as kind, label_code as code, * from scannable_spools where id = ${id}`,
  print_job: async (sql, id) => {
    const jobs = await sql<Omit<JobFound, 'plates'>[]>`
      select 'print_job' as kind, label_code as code, * from scannable_jobs where id = ${id}`
    const plates = await sql<JobFound['plates']>`
      select p.id, p.number, p.pieces, p.printer, not coalesce(b.is_in_print, false) as can_complete, p.is_by_hand,
             p.note
      from scannable_plates p
      left join scannable_beds b on b.plate_id = p.id
      where p.print_job_id = ${id} order by p.number`
    return jobs.map((job) => ({ ...job, plates }))
  },
  order: async (sql, id) => {
    const steps = await findOrderSteps(sql, id)
    const orders = await sql<Omit<OrderFound, 'steps'>[]>`
      select 'order' as kind, tail_code('O', id) as code, order_number as name, * from placed_orders
      where id = ${id} and deleted_at is null`
    return orders.map((order) => ({ ...order, steps }))
  },
  model: (sql, id) => sql<ModelFound[]>`
    select 'model' as kind, tail_code('M', id) as code, title as name, * from library_models
    where id = ${id} and deleted_at is null`,
  printer: (sql, id) => sql<PrinterFound[]>`
    select 'printer' as kind, p.label_code as code, p.id, p.name, p.model, p.kind as printer_kind, p.state,
           p.state_reason, p.location, p.job_code, p.slots, p.loaded, p.next_slot,
           case when b.plate_id is not null
                then jsonb_build_object('id', b.plate_id, 'number', b.number, 'pieces', b.pieces, 'note', b.note) end as plate,
           (select coalesce(jsonb_agg(jsonb_build_object('code', s.label_code, 'material', s.material, 'color', s.color,
                                                         'color_hex', s.color_hex) order by c.n), '[]')
            from unnest(string_to_array(p.loaded, ', ')) with ordinality c (code, n)
            join scannable_spools s on s.label_code = c.code) as loaded_spools
    from scannable_printers p
    left join scannable_beds b on b.printer_id = p.id
    where p.id = ${id}`,
}

/** Reads the object to which a code belongs. Returns null if the object is deleted. */
export async function readFound(sql: Queryable, kind: ScanKind, id: string): Promise<Found | null> {
  const [row] = await READS[kind](sql, id)
  return row ?? null
}

/** Finds the order with this number. Tries the number as typed, then in capitals. */
export async function findOrderIdByNumber(sql: Queryable, number: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from placed_orders
    where order_number = any (${[number, number.toUpperCase(), number.toLowerCase()]}) and deleted_at is null
    order by order_number = ${number} desc
    limit 1`
  return row?.id ?? null
}
