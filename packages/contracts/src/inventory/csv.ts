import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { inventoryFilter } from './items.ts'

const { get, post } = declareEndpoints('inventory')

export const MAX_CSV_ROWS = 5000
export const MAX_CSV_BYTES = 10 * 1024 * 1024

/**
 * Columns that an import reads. The first line of the file contains their names, in any order. Fields without
 * a column stay unchanged.
 */
export const CSV_COLUMNS = [
  'sku',
  'name',
  'quantity',
  'reorder_point',
  'max_stock',
  'safety_stock',
  'location',
  'bin_location',
  'status',
  'material_used',
  'color',
  'color_hex',
  'print_settings',
  'print_time_minutes',
  'weight_grams',
  'pieces_per_print',
  'material_cost',
  'labor_cost',
  'selling_price',
  'notes',
  'stl_file_id',
] as const
export type CsvColumn = (typeof CSV_COLUMNS)[number]

/** Additional columns of an export. An import ignores them. */
export const READ_ONLY_COLUMNS = [
  'label_code',
  'stl_file_title',
  'reserved_quantity',
  'available_quantity',
  'created_at',
  'updated_at',
] as const

/**
 * The format is RFC 4180 in UTF-8 with a byte order mark. A cell that looks like a formula or begins with an
 * apostrophe gets an apostrophe in front, which the import removes again.
 */
export const exportInventory = get('/api/inventory/export', 'signed-in', {
  summary: 'Items that match the filters, as CSV that can be imported again',
  query: z.object(inventoryFilter),
  sends: 'text/csv; charset=utf-8',
  errors: ['UNAVAILABLE'],
})

const IMPORT_ACTIONS = ['create', 'update', 'unchanged'] as const

/** The result of an import. `row` is counted as in spreadsheets: row 1 contains the column names. */
const csvImport = z.object({
  dry_run: z.boolean(),
  rows: z.number(),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  /** Unknown columns, which may be misspelled. */
  unknown_columns: z.array(z.string()),
  /** Errors in the rows, at most 1,000. If there are errors, nothing is imported. */
  errors: z.array(
    z.object({
      row: z.number(),
      column: nullable.text,
      sku: nullable.text,
      message: z.string(),
    }),
  ),
  error_count: z.number(),
  /** Paths of the first 200 new locations that the import creates. */
  new_places: z.array(z.string()),
  /** Preview of the changes, limited to the first 200 rows that change. */
  changes: z.array(
    z.object({
      row: z.number(),
      action: z.enum(IMPORT_ACTIONS),
      sku: nullable.text,
      name: z.string(),
      fields: z.array(z.object({ name: z.string(), before: nullable.text, after: nullable.text })),
    }),
  ),
})
export type TableImport = z.output<typeof csvImport>

export const importInventoryFields = z.object({
  dry_run: z._default(z.stringbool({ error: 'dry_run must be true or false' }), false),
})

/**
 * Adds items and changes those whose SKU exists. A row without a SKU is a new item. Either all rows are
 * imported or none. If any row has an error, the response is TABLE_REJECTED with `errors` by row, and
 * `import` contains the same result as a dry run.
 */
export const importInventory = post('/api/inventory/import', 'staff', {
  summary:
    'Import items from a CSV file (UTF-8; commas, semicolons or tabs), all rows or none; dry_run writes nothing',
  fileField: 'file',
  body: importInventoryFields,
  returns: csvImport,
  errors: [
    'TABLE_MISSING',
    'TABLE_REJECTED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'MALFORMED_REQUEST',
    'IDEMPOTENCY_KEY_REUSED',
    'UNAVAILABLE',
  ],
})
