import {
  DEFAULT_LABEL_FIELDS,
  LABEL_FIELDS,
  type Label,
  type LabelField,
  getItemLabel,
  getLocationLabel,
  getPrinterLabel,
  getSpoolLabel,
  listLabelQueue,
  markLabelsPrinted,
  printLabelSheet,
  readLabels,
} from '@pegasus/contracts/labels/labels'
import { getQuickStart } from '@pegasus/contracts/labels/quick-start'
import { findPaper, readLabelSize } from '@pegasus/contracts/labels/label-papers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { mapPage, pageRequestOf } from '../../platform/http/paging.ts'
import { drawBareCode, drawLabel, paintBareCode, paintLabel } from './label-drawing.ts'
import type { Labels } from './labels.service.ts'

/**
 * How a picture is cached. Its address is signed, so everybody who has the address may cache the picture. A changed
 * name is visible within an hour.
 */
const PICTURE_CACHING = 'private, max-age=3600'

interface PictureQuery {
  format?: 'svg' | 'png' | undefined
  size?: string | undefined
  fields?: string | undefined
  dpi: number
}

/** Returns whether the response should be a PNG. A caller that accepts SVG gets SVG. */
const prefersPng = (accept: string | undefined): boolean =>
  /image\/png/i.test(accept ?? '') && !/image\/svg\+xml/i.test(accept ?? '')

const readFields = (text: string | undefined): readonly LabelField[] =>
  text === undefined ? DEFAULT_LABEL_FIELDS : LABEL_FIELDS.filter((field) => text.split(',').includes(field))

async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  label: Label,
  query: PictureQuery,
): Promise<FastifyReply> {
  const size = query.size === undefined ? null : readLabelSize(query.size)
  const fields = readFields(query.fields)
  reply.headers({ 'cache-control': PICTURE_CACHING, vary: 'accept' })
  const isPng = query.format === undefined ? prefersPng(request.headers.accept) : query.format === 'png'
  if (isPng) {
    const picture = size ? paintLabel(label, { size, fields, dpi: query.dpi }) : paintBareCode(label)
    return reply.type('image/png').send(await picture)
  }
  return reply.type('image/svg+xml').send(size ? drawLabel(label, size, fields) : drawBareCode(label))
}

export function addLabelRoutes(endpoints: Endpoints, { labels }: { labels: Labels }): void {
  endpoints.add(getItemLabel, async ({ params, query, request, reply }) =>
    sendPicture(request, reply, await labels.get('item', params.id), query),
  )

  endpoints.add(getLocationLabel, async ({ params, query, request, reply }) =>
    sendPicture(request, reply, await labels.get('location', params.id), query),
  )

  endpoints.add(getSpoolLabel, async ({ params, query, request, reply }) =>
    sendPicture(request, reply, await labels.get('spool', params.id), query),
  )

  endpoints.add(getPrinterLabel, async ({ params, query, request, reply }) =>
    sendPicture(request, reply, await labels.get('printer', params.id), query),
  )

  endpoints.add(readLabels, async ({ body }) => labels.read(body.things))

  endpoints.add(printLabelSheet, async ({ body, reply }) => {
    // The request schema has already refused unknown paper names.
    const paper = typeof body.paper === 'string' ? findPaper(body.paper) : body.paper
    if (!paper) throw new Error('a paper that is not known passed the schema')
    const { labels: chosen, fields, start_cell: startCell } = body
    const pdf = await labels.drawSheet({ labels: chosen, paper, fields, startCell })
    return reply
      .headers({ 'content-disposition': 'inline; filename="labels.pdf"' })
      .type('application/pdf')
      .send(pdf)
  })

  endpoints.add(getQuickStart, async ({ query, reply }) =>
    reply
      .headers({ 'content-disposition': 'inline; filename="quick-start.pdf"' })
      .type('application/pdf')
      .send(await labels.drawQuickStart(query.paper)),
  )

  endpoints.add(listLabelQueue, async ({ query }) =>
    mapPage(await labels.listDue(query.kind, pageRequestOf(query)), (row) => ({
      ...row,
      reason: row.printed_at === null ? ('never_printed' as const) : ('changed' as const),
    })),
  )

  endpoints.add(markLabelsPrinted, async ({ body, reply }) => {
    await labels.markPrinted(body.labels, body.fields)
    return reply.send()
  })
}
