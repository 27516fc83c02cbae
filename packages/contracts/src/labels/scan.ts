import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { ORDER_STEPS } from '../orders/order-steps.ts'
import { SCANNED_MAX_LENGTH } from './scan-codes.ts'
import { PRINTER_KINDS, PRINTER_STATES } from '../print-queue/printers.ts'
import { ITEM_STATUSES, ORDER_STATUSES, PRINT_JOB_STATUSES, SPOOL_STATUSES } from '../statuses.ts'

const { get } = declareEndpoints('labels')

/**
 * Actions that the caller can take on a scanned object. A caller without the right to change anything gets
 * only `open`.
 */
const SCAN_ACTIONS = [
  'open',
  // Items
  'take',
  'put',
  'count',
  // Items and spools
  'move',
  // Locations: moves the object that is scanned next to the scanned location
  'move_here',
  // Spools
  'use',
  'weigh',
  // Spools: loads the scanned spool into the printer that is scanned next. Printers: loads the spool that is scanned
  // next
  'load',
  // Orders
  ...ORDER_STEPS,
  // Printers; they also have the action `resume` from the orders
  'clear',
  'maintenance',
  // Print jobs
  'start',
  'complete',
  'fail',
  'hold',
  'cancel',
  'requeue',
] as const
export type ScanAction = (typeof SCAN_ACTIONS)[number]

const foundFields = {
  id: z.uuid(),
  /** The label code of the object. */
  code: z.string(),
  title: z.string(),
  /** A signed URL of the picture. */
  thumbnail_path: nullable.text,
  /** The color as `#RRGGBB`, or as `#RRGGBBAA` with opacity. */
  color_hex: nullable.text,
  actions: z.array(z.enum(SCAN_ACTIONS)),
}

const foundItem = z.object({
  ...foundFields,
  kind: z.literal('item'),
  facts: z.object({
    sku: z.string(),
    status: z.enum(ITEM_STATUSES),
    quantity: z.number(),
    reserved_quantity: z.number(),
    available_quantity: z.number(),
    reorder_point: z.number(),
    max_stock: z.number(),
    location_id: nullable.id,
    location: nullable.text,
  }),
})

const foundLocation = z.object({
  ...foundFields,
  kind: z.literal('location'),
  facts: z.object({
    /** The names from the root down to this location. */
    path: z.string(),
    location_kind: z.enum(['place', 'bin']),
    /** Number of items that are directly in this location, not in a location below it. */
    items: z.number(),
    spools: z.number(),
  }),
})

const foundSpool = z.object({
  ...foundFields,
  kind: z.literal('spool'),
  facts: z.object({
    material: z.string(),
    brand: nullable.text,
    color: z.string(),
    status: z.enum(SPOOL_STATUSES),
    remaining_grams: z.number(),
    weight_grams: z.number(),
    /** Weight of the empty spool, which is subtracted from the weight on the scale. */
    spool_weight_grams: nullable.number,
    location_id: nullable.id,
    location: nullable.text,
  }),
})

const foundJob = z.object({
  ...foundFields,
  kind: z.literal('print_job'),
  facts: z.object({
    status: z.enum(PRINT_JOB_STATUSES),
    quantity: z.number(),
    good_quantity: z.number(),
    rejected_quantity: z.number(),
    priority: z.number(),
    order_number: nullable.text,
    due_at: nullable.timestamp,
    /** The running plates, sorted by number. */
    plates: z.array(
      z.object({
        id: z.uuid(),
        number: z.number(),
        pieces: z.number(),
        /** The name of the printer or agent. */
        printer: nullable.text,
        /** Whether its pieces can be counted now. A network printer first has to end its print. */
        can_complete: z.boolean(),
        /** Whether a person or an agent is printing the plate. Its filament and time can then be given. */
        is_by_hand: z.boolean(),
        /** Why the pieces of a printed plate have to be checked. Null after an ordinary print. */
        note: nullable.text,
      }),
    ),
  }),
})

const foundOrder = z.object({
  ...foundFields,
  kind: z.literal('order'),
  facts: z.object({
    customer_name: z.string(),
    status: z.enum(ORDER_STATUSES),
    due_at: nullable.timestamp,
  }),
})

const foundModel = z.object({
  ...foundFields,
  kind: z.literal('model'),
  facts: z.object({ license_type: z.string(), is_product: z.boolean() }),
})

const foundPrinter = z.object({
  ...foundFields,
  kind: z.literal('printer'),
  facts: z.object({
    model: nullable.text,
    printer_kind: z.enum(PRINTER_KINDS),
    state: z.enum(PRINTER_STATES),
    state_reason: nullable.text,
    location: nullable.text,
    /** Label code of the job on the bed. */
    job_code: nullable.text,
    /** The plate on the bed, whose pieces are counted when the printer is cleared. */
    plate: z.nullable(
      z.object({
        id: z.uuid(),
        number: z.number(),
        pieces: z.number(),
        /** Why the pieces of a printed plate have to be checked. Null after an ordinary print. */
        note: nullable.text,
      }),
    ),
    slots: z.number(),
    /** Label codes of the loaded spools. */
    loaded: nullable.text,
    /** The loaded spools, by slot. */
    loaded_spools: z.array(
      z.object({ code: z.string(), material: z.string(), color: z.string(), color_hex: nullable.text }),
    ),
    /** The slot that the next spool goes into, and the spool in it. Null if the printer has no slots. */
    next_slot: z.nullable(z.object({ slot: z.number(), filament_id: nullable.id })),
  }),
})

/** The object that has the scanned code, and the actions that the caller can take on it. */
export const scanned = z.discriminatedUnion('kind', [
  foundItem,
  foundLocation,
  foundSpool,
  foundJob,
  foundOrder,
  foundModel,
  foundPrinter,
])
export type Scanned = z.output<typeof scanned>
export type ScannedOf<Kind extends Scanned['kind']> = Extract<Scanned, { kind: Kind }>

export const scanCode = get('/api/scan', 'signed-in', {
  summary:
    'The object that a scanned or typed code refers to: a label code or its address, a SKU or an order number',
  query: z.object({
    code: z.string('Scan or type a code.').check(
      z.refine((text) => text.trim() !== '', 'Scan or type a code.'),
      z.maxLength(SCANNED_MAX_LENGTH, 'This is longer than any code.'),
    ),
  }),
  /** Null for an unknown code. This is not an error, because people type codes to see whether they exist. */
  returns: z.object({ found: z.nullable(scanned) }),
})

export const openLabelCode = get('/s/:code', 'signed-in', {
  // The QR codes of labels contain the address in capitals.
  aliases: ['/S/:code'],
  summary: 'The object that a label code refers to; a browser is redirected to its page',
  isAlsoPage: true,
  params: z.object({ code: z.string().check(z.maxLength(SCANNED_MAX_LENGTH)) }),
  returns: scanned,
  errors: ['CODE_UNKNOWN'],
})
