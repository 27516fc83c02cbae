import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { inventoryFilter } from './items.ts'

const { get, post } = declareEndpoints('inventory')

export const MAX_CSV_ROWS = 5000
export const MAX_CSV_BYTES = 10 * 1024 * 1024

/** Columns that an import reads. The first line names them, in any order; what has no column stays as it is. */
export const CSV_COLUMNS = [
  'sku',
  'name',
  'quantity',
  'reorder_point',
  'max_stock',
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

/** Columns that an export has besides, and an import passes over. */
export const READ_ONLY_COLUMNS = [
  'label_code',
  'stl_file_title',
  'reserved_quantity',
  'available_quantity',
  'created_at',
  'updated_at',
] as const

/**
 * RFC 4180 in UTF-8 with a byte order mark. A cell that a spreadsheet might take for a formula, and one that begins
 * with an apostrophe, begins with an apostrophe more, which the import takes away again.
 */
export const exportInventory = get('/api/inventory/export', 'signed-in', {
  summary: 'All items that the filters find, as CSV; it imports unchanged',
  query: z.object(inventoryFilter),
  sends: 'text/csv; charset=utf-8',
  errors: ['UNAVAILABLE'],
})

const IMPORT_ACTIONS = ['create', 'update', 'unchanged'] as const

/** What becomes of the rows. `row` is the line as a spreadsheet counts them: the names of the columns are row 1. */
export const csvImport = z.object({
  dry_run: z.boolean(),
  rows: z.number(),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  /** Columns that an import does not know, probably misspelt. */
  unknown_columns: z.array(z.string()),
  /** Why rows are not acceptable, at most 1,000 reasons; with one nothing is imported. */
  errors: z.array(
    z.object({
      row: z.number(),
      column: z.nullable(z.string()),
      sku: z.nullable(z.string()),
      message: z.string(),
    }),
  ),
  error_count: z.number(),
  /** Places that are not there yet and are made, by their paths; the first 200. */
  new_places: z.array(z.string()),
  /** What changes, for a look before it does; the first 200 rows that are not unchanged. */
  changes: z.array(
    z.object({
      row: z.number(),
      action: z.enum(IMPORT_ACTIONS),
      sku: z.nullable(z.string()),
      name: z.string(),
      fields: z.array(
        z.object({ name: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) }),
      ),
    }),
  ),
})
export type TableImport = z.output<typeof csvImport>

export const importInventoryFields = z.object({
  dry_run: z._default(z.stringbool({ error: 'dry_run must be true or false' }), false),
})

/**
 * Adds items and changes those whose SKU is there already; a row without a SKU is a new item. All rows or none: where
 * one is not acceptable the answer is TABLE_REJECTED with `errors` by row, and `import` as a dry run has it.
 */
export const importInventory = post('/api/inventory/import', 'staff', {
  summary:
    'Items from a CSV file (UTF-8; commas, semicolons or tabs), all rows or none; with dry_run nothing is written',
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
  ],
})
