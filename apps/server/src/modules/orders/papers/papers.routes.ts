import { getAddressLabel, getPackingSlip, getPackingSlips } from '@pegasus/contracts/orders/papers'
import type { FastifyReply } from 'fastify'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Papers } from './papers.service.ts'

/** Sends a PDF that opens in the browser. The file name contains only plain characters. */
const sendPdf = (
  reply: FastifyReply,
  name: string,
  { pdf, orderNumber }: { pdf: Buffer; orderNumber: string | null },
) =>
  reply
    .headers({
      'content-disposition': `inline; filename="${[name, orderNumber?.replaceAll(/[^\w.-]+/g, '-')].filter(Boolean).join('-')}.pdf"`,
      'cache-control': 'no-store',
    })
    .type('application/pdf')
    .send(pdf)

export function addPaperRoutes(endpoints: Endpoints, { papers }: { papers: Papers }): void {
  endpoints.add(getPackingSlip, async ({ params, query, reply }) => {
    const { shipment_id: shipmentId, paper, time_zone: timeZone } = query
    const wanted = { shipmentId, paper, timeZone }
    return sendPdf(reply, 'packing-slip', await papers.packingSlip(params.id, wanted))
  })

  endpoints.add(getPackingSlips, async ({ body, reply }) =>
    sendPdf(reply, 'packing-slips', {
      pdf: await papers.packingSlips(body.ids, { paper: body.paper, timeZone: body.time_zone }),
      orderNumber: null,
    }),
  )

  endpoints.add(getAddressLabel, async ({ params, query, reply }) =>
    sendPdf(reply, 'address-label', await papers.addressLabel(params.id, query.size)),
  )
}
