import type { CsvColumn } from '@pegasus/contracts/inventory/csv'
import {
  type UpdateItemBody,
  createItemBody,
  updateItemBody,
} from '@pegasus/contracts/inventory/item-changes'
import type * as z from 'zod/mini'
import { safeParse } from 'zod/mini'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ItemRow } from '../items/items.queries.ts'
import {
  type ItemFields,
  type ItemToAdd,
  changesOf,
  fieldsOfEdit,
  itemToAdd,
  locationOfEdit,
  wireNameOf,
} from '../items/item-fields.ts'
import { parseLocationPath } from '../locations/ensure-location.ts'
import { isNumberColumn } from './item-cells.ts'
import type { CsvRow } from './read-item-rows.ts'

export interface RowError {
  row: number
  column: string | null
  sku: string | null
  message: string
}

/** The planned change for a row. */
export type RowPlan =
  | { action: 'create'; row: number; item: ItemToAdd; given: CsvRow['fields'] }
  | {
      action: 'update'
      row: number
      item: ItemRow
      body: UpdateItemBody
      fields: Partial<ItemFields>
      columns: CsvColumn[]
      /** The new location. Null if the location does not change. */
      place: ItemToAdd['place'] | null
    }
  | { action: 'unchanged'; row: number }

/** The stored data with which a row is compared. */
export interface Known {
  /** The item with the SKU of the row, unless it is in the trash. */
  item: ItemRow | undefined
  /** Ids of the models that exist in the library. */
  modelIds: ReadonlySet<string>
  currency: string
}

type Failure = { column: string | null; message: string }

/** Runs `work`. Returns its result, or the violated rules as errors of the row. */
function caught<T>(work: () => T): T | Failure[] {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { errors = [{ path: '', message: error.text }] } = error
    return errors.map(({ path, message }) => ({ column: path || null, message }))
  }
}

const DECIMAL_COMMA = /^-?[\d.]+,\d+$/

/** Returns the error message for a number with a decimal comma, as spreadsheets of many countries write it, or null. */
function commaMessage({ fields }: CsvRow, column: string): string | null {
  const cell = Object.entries(fields).find(([name]) => name === column)?.[1]
  if (typeof cell !== 'string' || !isNumberColumn(column) || !DECIMAL_COMMA.test(cell.trim())) return null
  const number = cell.trim().replaceAll('.', '').replace(',', '.')
  return `Write ${number}, with a point instead of the comma.`
}

function parse<T>(schema: z.ZodMiniType<T>, row: CsvRow): T | Failure[] {
  const parsed = safeParse(schema, row.fields)
  if (parsed.success) return parsed.data
  return parsed.error.issues.map(({ path, message }) => {
    const column = String(path[0] ?? '')
    return { column: column || null, message: commaMessage(row, column) ?? message }
  })
}

const isFailure = (value: unknown): value is Failure[] => Array.isArray(value)

const UNKNOWN_MODEL: Failure = { column: 'stl_file_id', message: 'This model is not in the library.' }

function planNew(row: CsvRow, { modelIds, currency }: Known): RowPlan | Failure[] {
  const body = parse(createItemBody, row)
  if (isFailure(body)) return body
  const item = caught(() => {
    const toAdd = itemToAdd(body, currency)
    parseLocationPath(toAdd.place)
    return toAdd
  })
  if (isFailure(item)) return item
  const { stl_file_id: modelId } = item.fields
  if (modelId !== null && !modelIds.has(modelId)) return [UNKNOWN_MODEL]
  return { action: 'create', row: row.row, item, given: row.fields }
}

function planChange(row: CsvRow, item: ItemRow, { modelIds, currency }: Known): RowPlan | Failure[] {
  const body = parse(updateItemBody, row)
  if (isFailure(body)) return body
  const planned = caught(() => {
    const { sku: _sku, ...edit } = body
    const place = locationOfEdit(item, body)
    if (place) parseLocationPath(place)
    return { fields: changesOf(item, fieldsOfEdit(edit, currency)), place }
  })
  if (isFailure(planned)) return planned
  const { fields, place } = planned
  if (fields.stl_file_id && !modelIds.has(fields.stl_file_id)) return [UNKNOWN_MODEL]
  const columns: CsvColumn[] = Object.keys(fields).map(wireNameOf)
  if (place && place.location !== item.location) columns.push('location')
  if (place && place.bin !== item.bin_location) columns.push('bin_location')
  if (body.quantity !== undefined && body.quantity !== item.quantity) columns.push('quantity')
  if (columns.length === 0) return { action: 'unchanged', row: row.row }
  return { action: 'update', row: row.row, item, body, fields, columns, place }
}

/** Returns the planned change for a row, or the reasons why the row is invalid. Writes nothing. */
export function planRow(row: CsvRow, known: Known): RowPlan | RowError[] {
  const plan = known.item ? planChange(row, known.item, known) : planNew(row, known)
  if (!isFailure(plan)) return plan
  return plan.map((failure) => ({ row: row.row, sku: row.sku || null, ...failure }))
}
