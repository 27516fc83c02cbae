import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { bulkIds, optionalId } from '../fields.ts'
import { isTimeZone } from '../channels/channels.ts'
import { MAX_BULK_ORDERS } from './bulk-orders.ts'
import { readLabelSize } from '../labels/label-papers.ts'

const { get, post } = declareEndpoints('orders', { notFound: 'ORDER_NOT_FOUND' })

export const SLIP_PAPERS = ['a4', 'letter'] as const
export type SlipPaper = (typeof SLIP_PAPERS)[number]

const slipFields = {
  paper: z._default(z.enum(SLIP_PAPERS, `paper must be one of ${SLIP_PAPERS.join(', ')}`), 'a4'),
  /** Time zone of the printed days, such as `Europe/Vienna`. */
  time_zone: z._default(
    z.string().check(z.refine(isTimeZone, 'time_zone must be a name such as Europe/Berlin')),
    'UTC',
  ),
}

export const getPackingSlip = get('/api/orders/:id/packing-slip', 'staff', {
  summary:
    'Packing slip as PDF: the pieces of one shipment, or the pieces left to ship; if no pieces are left, one slip for each shipment',
  query: z.object({
    shipment_id: optionalId('shipment_id'),
    ...slipFields,
  }),
  sends: 'application/pdf',
  errors: ['ORDER_INVALID', 'ORDER_STATE', 'UNAVAILABLE'],
})

export const getPackingSlips = post('/api/orders/packing-slips', 'staff', {
  summary: 'Packing slips of several orders as one PDF; orders without pieces to pack are left out',
  body: z.object({
    ids: bulkIds('order', MAX_BULK_ORDERS),
    ...slipFields,
  }),
  sends: 'application/pdf',
  errors: ['MALFORMED_REQUEST', 'ORDER_NOT_FOUND', 'ORDER_STATE', 'UNAVAILABLE'],
})

/** A common roll for label printers that is wide enough for most addresses. */
export const ADDRESS_LABEL_SIZE = '62x100'

export const getAddressLabel = get('/api/orders/:id/address-label', 'staff', {
  summary: 'Address label as PDF',
  query: z.object({
    /** Width × height in millimeters, such as `62x100`. */
    size: z._default(
      z
        .string()
        .check(
          z.refine(
            (text) => readLabelSize(text) !== null,
            'size must be width x height in mm, such as 62x100',
          ),
        ),
      ADDRESS_LABEL_SIZE,
    ),
  }),
  sends: 'application/pdf',
  errors: ['ORDER_STATE', 'UNAVAILABLE'],
})
