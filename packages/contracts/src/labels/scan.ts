import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'
import { defineEndpoint } from '../endpoint.ts'
import { SCANNED_MAX_LENGTH } from './scan-codes.ts'
import { ITEM_STATUSES, ORDER_STATUSES, PRINT_JOB_STATUSES, SPOOL_STATUSES } from '../statuses.ts'

/** What may be done now with what was found; who may not change anything gets `open` alone. */
export const SCAN_ACTIONS = [
  'open',
  // Items
  'take',
  'put',
  'count',
  // Items and spools
  'move',
  // Locations: what is scanned next is moved here
  'move_here',
  // Spools
  'use',
  'weigh',
  // Print jobs
  'start',
  'complete',
  'fail',
  'hold',
  'cancel',
  'requeue',
] as const
export type ScanAction = (typeof SCAN_ACTIONS)[number]

const found = {
  id: z.uuid(),
  /** Its label code. */
  code: z.string(),
  title: z.string(),
  /** Signed, as other pictures. */
  thumbnail_path: z.nullable(z.string()),
  /** `#RRGGBB`, or with opacity `#RRGGBBAA`. */
  color_hex: z.nullable(z.string()),
  actions: z.array(z.enum(SCAN_ACTIONS)),
}

const foundItem = z.object({
  ...found,
  kind: z.literal('item'),
  facts: z.object({
    sku: z.string(),
    status: z.enum(ITEM_STATUSES),
    quantity: z.number(),
    reserved_quantity: z.number(),
    available_quantity: z.number(),
    reorder_point: z.number(),
    max_stock: z.number(),
    location_id: z.nullable(z.uuid()),
    location: z.nullable(z.string()),
  }),
})

const foundLocation = z.object({
  ...found,
  kind: z.literal('location'),
  facts: z.object({
    /** Names from the root down. */
    path: z.string(),
    location_kind: z.enum(['place', 'bin']),
    /** Directly in it. */
    items: z.number(),
    spools: z.number(),
  }),
})

const foundSpool = z.object({
  ...found,
  kind: z.literal('spool'),
  facts: z.object({
    material: z.string(),
    brand: z.nullable(z.string()),
    color: z.string(),
    status: z.enum(SPOOL_STATUSES),
    remaining_grams: z.number(),
    weight_grams: z.number(),
    /** What the empty roll weighs; a weighing needs it. */
    spool_weight_grams: z.nullable(z.number()),
    location_id: z.nullable(z.uuid()),
    location: z.nullable(z.string()),
  }),
})

const foundJob = z.object({
  ...found,
  kind: z.literal('print_job'),
  facts: z.object({
    status: z.enum(PRINT_JOB_STATUSES),
    quantity: z.number(),
    good_quantity: z.number(),
    rejected_quantity: z.number(),
    priority: z.number(),
    order_number: z.nullable(z.string()),
    due_at: z.nullable(timestamp),
  }),
})

const foundOrder = z.object({
  ...found,
  kind: z.literal('order'),
  facts: z.object({
    customer_name: z.string(),
    status: z.enum(ORDER_STATUSES),
    due_at: z.nullable(timestamp),
  }),
})

const foundModel = z.object({
  ...found,
  kind: z.literal('model'),
  facts: z.object({ license_type: z.string(), is_product: z.boolean() }),
})

/** What a code means, and what can be done with it. */
export const scanned = z.discriminatedUnion('kind', [
  foundItem,
  foundLocation,
  foundSpool,
  foundJob,
  foundOrder,
  foundModel,
])
export type Scanned = z.output<typeof scanned>
export type ScannedOf<Kind extends Scanned['kind']> = Extract<Scanned, { kind: Kind }>

export const scanCode = defineEndpoint({
  method: 'GET',
  path: '/api/scan',
  summary: 'What was scanned or typed: a label code or its address, a SKU or an order number',
  tag: 'labels',
  access: 'signed-in',
  query: z.object({
    code: z.string('Scan or type a code.').check(
      z.refine((text) => text.trim() !== '', 'Scan or type a code.'),
      z.maxLength(SCANNED_MAX_LENGTH, 'This is longer than any code.'),
    ),
  }),
  /** Null where nothing here has the code: typing one is a question, and that is an answer. */
  success: { status: 200, body: z.object({ found: z.nullable(scanned) }) },
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT'],
})

export const openLabelCode = defineEndpoint({
  method: 'GET',
  path: '/s/:code',
  // A label's address is written in capitals.
  aliases: ['/S/:code'],
  summary: "What a label's code opens; a browser that opens the address is led to the thing",
  tag: 'labels',
  access: 'signed-in',
  isAlsoPage: true,
  params: z.object({ code: z.string().check(z.maxLength(SCANNED_MAX_LENGTH)) }),
  success: { status: 200, body: scanned },
  errors: ['UNAUTHENTICATED', 'CODE_UNKNOWN'],
})
