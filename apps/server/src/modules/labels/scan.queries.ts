import type { ItemStatus, OrderStatus, PrintJobStatus, SpoolStatus } from '@pegasus/contracts/statuses'
import type { ScanKind } from '@pegasus/contracts/labels/scan-codes'
import type { Queryable } from '../../platform/database/database.ts'

export interface ItemFound {
  kind: 'item'
  id: string
  code: string
  name: string
  sku: string
  status: ItemStatus
  quantity: number
  reserved_quantity: number
  reorder_point: number
  max_stock: number
  color_hex: string | null
  stl_file_id: string | null
  has_picture: boolean
  location_id: string | null
  location: string | null
}

export interface LocationFound {
  kind: 'location'
  id: string
  code: string
  name: string
  path: string
  location_kind: 'place' | 'bin'
  items: number
  spools: number
}

export interface SpoolFound {
  kind: 'spool'
  id: string
  code: string
  name: string
  material: string
  brand: string | null
  color: string
  color_hex: string | null
  status: SpoolStatus
  remaining_grams: number
  weight_grams: number
  spool_weight_grams: number | null
  location_id: string | null
  location: string | null
}

export interface JobFound {
  kind: 'print_job'
  id: string
  code: string
  name: string
  status: PrintJobStatus
  quantity: number
  good_quantity: number
  rejected_quantity: number
  priority: number
  order_number: string | null
  due_at: string | null
  color_hex: string | null
  stl_file_id: string | null
  /** Of the version that it prints. */
  has_picture: boolean
  picture_version: string | null
}

export interface OrderFound {
  kind: 'order'
  id: string
  code: string
  name: string
  customer_name: string
  status: OrderStatus
  due_at: string | null
}

export interface ModelFound {
  kind: 'model'
  id: string
  code: string
  name: string
  license_type: string
  is_product: boolean
  has_picture: boolean
}

export type Found = ItemFound | LocationFound | SpoolFound | JobFound | OrderFound | ModelFound

const READS: Readonly<Record<ScanKind, (sql: Queryable, id: string) => Promise<Found[]>>> = {
  item: (sql, id) => sql<ItemFound[]>`
    select 'item' as kind, label_code as code, * from scannable_items where id = ${id}`,
  location: (sql, id) => sql<LocationFound[]>`
    select 'location' as kind, label_code as code, * from scannable_locations where id = ${id}`,
  spool: (sql, id) => sql<SpoolFound[]>`
    select 'spool' as kind, label_code as code, * from scannable_spools where id = ${id}`,
  print_job: (sql, id) => sql<JobFound[]>`
    select 'print_job' as kind, label_code as code, * from scannable_jobs where id = ${id}`,
  order: (sql, id) => sql<OrderFound[]>`
    select 'order' as kind, tail_code('O', id) as code, order_number as name, * from placed_orders
    where id = ${id} and deleted_at is null`,
  model: (sql, id) => sql<ModelFound[]>`
    select 'model' as kind, tail_code('M', id) as code, title as name, * from library_models
    where id = ${id} and deleted_at is null`,
}

/** What is known of a thing that a code named; null if it is gone. */
export async function readFound(sql: Queryable, kind: ScanKind, id: string): Promise<Found | null> {
  const [row] = await READS[kind](sql, id)
  return row ?? null
}

/** The order of that number: as it was typed, else in capitals. */
export async function findOrderIdByNumber(sql: Queryable, number: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from placed_orders
    where order_number = any (${[number, number.toUpperCase(), number.toLowerCase()]}) and deleted_at is null
    order by order_number = ${number} desc
    limit 1`
  return row?.id ?? null
}
