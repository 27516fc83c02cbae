import * as z from 'zod/mini'
import { idParams, pageQuery } from '../fields.ts'
import { defineEndpoint } from '../endpoint.ts'
import type { LabelLine } from './label-layout.ts'
import { MAX_LABEL_MM, MIN_LABEL_MM, findPaper, labelPaper, readLabelSize } from './label-papers.ts'
import { SCAN_KINDS } from './scan-codes.ts'

/** What wears a label that can be out of date: it stands in the queue of labels to print. */
export const LABELLED_KINDS = ['item', 'location', 'spool'] as const
export type LabelledKind = (typeof LABELLED_KINDS)[number]

/** What may stand on a label besides its code, most important first. The code itself always does. */
export const LABEL_FIELDS = ['name', 'sku', 'location', 'price'] as const
export type LabelField = (typeof LABEL_FIELDS)[number]
export const DEFAULT_LABEL_FIELDS: readonly LabelField[] = ['name', 'sku', 'location']

export const MAX_LABEL_SUBJECTS = 500
export const MAX_LABEL_COPIES = 100
export const MAX_LABELS_PER_RUN = 1000

/** Dots per inch of a PNG: the usual label printers. */
export const LABEL_DPIS = [203, 300, 600] as const

/** Something that may wear a label. */
const thing = z.object({ kind: z.enum(SCAN_KINDS), id: z.uuid() })
export type LabelThing = z.output<typeof thing>

const things = z
  .array(thing)
  .check(
    z.minLength(1, 'Choose what to print labels of.'),
    z.maxLength(MAX_LABEL_SUBJECTS, `At most ${MAX_LABEL_SUBJECTS} things at a time.`),
  )

const fields = z.array(z.enum(LABEL_FIELDS)).check(z.maxLength(LABEL_FIELDS.length))

/** What stands on one label. */
export const label = z.object({
  kind: z.enum(SCAN_KINDS),
  id: z.uuid(),
  code: z.string(),
  /** What the QR code says: see `labelPayload`. */
  payload: z.string(),
  name: z.string(),
  sku: z.nullable(z.string()),
  location: z.nullable(z.string()),
  /** As it is written, in the configured currency. */
  price: z.nullable(z.string()),
  /** Letters that a PDF or a picture of the label shows as boxes, each once; a browser prints them in a font of its own. */
  missing_letters: z.array(z.string()),
  /** The QR code: its side in modules, and the dark ones as an SVG path of that size. */
  qr: z.object({ modules: z.number(), path: z.string() }),
})
export type Label = z.output<typeof label>

export const readLabels = defineEndpoint({
  method: 'POST',
  path: '/api/labels',
  summary: 'What stands on the labels of these things, in the order asked for; what is gone is left out',
  tag: 'labels',
  access: 'signed-in',
  body: z.object({ things }),
  success: { status: 200, body: z.array(label) },
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT'],
})

const totalOf = (labels: readonly { copies: number }[]): number =>
  labels.reduce((sum, { copies }) => sum + copies, 0)

export const printLabelSheet = defineEndpoint({
  method: 'POST',
  path: '/api/labels/sheet',
  summary: 'Labels as a PDF, true to the millimetre',
  tag: 'labels',
  access: 'signed-in',
  body: z.object({
    labels: z
      .array(
        z.object({
          ...thing.shape,
          copies: z._default(
            z
              .int('copies must be a whole number')
              .check(z.gte(1), z.lte(MAX_LABEL_COPIES, `At most ${MAX_LABEL_COPIES} copies of a label.`)),
            1,
          ),
        }),
      )
      .check(
        z.minLength(1, 'Choose what to print labels of.'),
        z.maxLength(MAX_LABEL_SUBJECTS, `At most ${MAX_LABEL_SUBJECTS} things at a time.`),
        z.refine(
          (labels) => totalOf(labels) <= MAX_LABELS_PER_RUN,
          `At most ${MAX_LABELS_PER_RUN} labels at a time.`,
        ),
      ),
    /** A paper by its name, such as `62x29` or `avery-l7160`, or its measures. */
    paper: z.union([
      z.string().check(z.refine((id) => findPaper(id) !== null, 'paper is not one that we know')),
      labelPaper,
    ]),
    fields: z._default(fields, [...DEFAULT_LABEL_FIELDS]),
    /** The first free cell of the first page, line by line from 1. */
    start_cell: z._default(z.int('start_cell must be a whole number').check(z.gte(1)), 1),
  }),
  success: { status: 200, body: null, contentType: 'application/pdf' },
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT', 'LABEL_START_BEYOND', 'LABELS_GONE', 'UNAVAILABLE'],
})

/** A label that was never printed, or whose words have changed since. */
const queuedLabel = z.object({
  kind: z.enum(LABELLED_KINDS),
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  sku: z.nullable(z.string()),
  location: z.nullable(z.string()),
  reason: z.enum(['never_printed', 'changed']),
  printed_at: z.nullable(z.iso.datetime({ offset: true })),
})
export type QueuedLabel = z.output<typeof queuedLabel>

export const listLabelQueue = defineEndpoint({
  method: 'GET',
  path: '/api/labels/queue',
  summary: 'Labels to print: never printed, or with other words on them than the thing has now; newest first',
  tag: 'labels',
  access: 'signed-in',
  query: z.object({
    ...pageQuery,
    kind: z.optional(z.enum(LABELLED_KINDS, 'kind is item, location or spool')),
  }),
  success: { status: 200, body: z.array(queuedLabel) },
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT'],
})

export const markLabelsPrinted = defineEndpoint({
  method: 'POST',
  path: '/api/labels/printed',
  summary: 'Takes labels out of the queue until what was printed of them changes',
  tag: 'labels',
  access: 'staff',
  body: z.object({
    labels: z
      .array(z.object({ kind: z.enum(LABELLED_KINDS), id: z.uuid() }))
      .check(
        z.minLength(1, 'Choose the labels that were printed.'),
        z.maxLength(MAX_LABEL_SUBJECTS, `At most ${MAX_LABEL_SUBJECTS} things at a time.`),
      ),
    /** What was printed on them besides the code. */
    fields: z._default(fields, [...DEFAULT_LABEL_FIELDS]),
  }),
  success: { status: 204, body: null },
  errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'INVALID_INPUT'],
})

const labelPictureQuery = z.object({
  /** Without it, what `Accept` prefers; SVG if it has no wish. */
  format: z.optional(z.enum(['svg', 'png'], 'format is svg or png')),
  /** A whole label of that size, such as `62x29`; the QR code alone without it. */
  size: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => readLabelSize(text) !== null,
          `size is width x height in millimetres, each from ${MIN_LABEL_MM} to ${MAX_LABEL_MM}, such as 62x29`,
        ),
      ),
  ),
  /** Comma-separated, of a whole label. */
  fields: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) =>
            text.split(',').every((field) => field === '' || LABEL_FIELDS.some((known) => known === field)),
          `fields are of ${LABEL_FIELDS.join(', ')}`,
        ),
      ),
  ),
  dpi: z._default(
    z.coerce
      .number()
      .check(z.refine((dpi) => LABEL_DPIS.some((known) => known === dpi), `dpi is ${LABEL_DPIS.join(', ')}`)),
    LABEL_DPIS[0],
  ),
  /** Of a signed address. */
  expires: z.optional(z.string()),
  signature: z.optional(z.string()),
})

const labelPicture = <const Path extends `/${string}`>(path: Path, what: string) =>
  ({
    method: 'GET',
    path,
    summary: `Label of ${what} as a picture: its QR code, or with a size all of it`,
    tag: 'labels',
    access: 'signed-in',
    isSignable: true,
    params: idParams,
    query: labelPictureQuery,
    success: { status: 200, body: null, contentType: 'image/svg+xml' },
  }) as const

export const getItemLabel = defineEndpoint({
  ...labelPicture('/api/inventory/:id/label', 'an item'),
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT', 'ITEM_NOT_FOUND'],
})

export const getLocationLabel = defineEndpoint({
  ...labelPicture('/api/locations/:id/label', 'a location'),
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT', 'LOCATION_NOT_FOUND'],
})

export const getSpoolLabel = defineEndpoint({
  ...labelPicture('/api/filament/:id/label', 'a spool'),
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT', 'SPOOL_NOT_FOUND'],
})

/** The lines of a label: its name, its code, and then what else was chosen to stand on it. */
export function labelLines(
  thing: Pick<Label, 'name' | 'code' | 'sku' | 'location' | 'price'>,
  chosen: readonly LabelField[],
): LabelLine[] {
  const lines: LabelLine[] = chosen.includes('name') ? [{ field: 'name', text: thing.name }] : []
  lines.push({ field: 'code', text: thing.code })
  for (const field of ['sku', 'location', 'price'] as const) {
    const text = thing[field]
    // The path of a place at the root is its name, which stands there already.
    if (chosen.includes(field) && text && text !== thing.name) lines.push({ field, text })
  }
  return lines
}
