import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import type { LabelLine } from './label-layout.ts'
import { MAX_LABEL_MM, MIN_LABEL_MM, findPaper, labelPaper, readLabelSize } from './label-papers.ts'
import { SCAN_KINDS } from './scan-codes.ts'

const { get, list, post } = declareEndpoints('labels')

/** Kinds of objects whose labels can be out of date. They appear in the queue of labels to print. */
export const LABELLED_KINDS = ['item', 'location', 'spool', 'printer'] as const
export type LabelledKind = (typeof LABELLED_KINDS)[number]

/** Fields that a label can show, most important first. The code is always shown. */
export const LABEL_FIELDS = ['name', 'sku', 'location', 'price'] as const
export type LabelField = (typeof LABEL_FIELDS)[number]
export const DEFAULT_LABEL_FIELDS: readonly LabelField[] = ['name', 'sku', 'location']

export const MAX_LABEL_SUBJECTS = 500
export const MAX_LABEL_COPIES = 100
export const MAX_LABELS_PER_RUN = 1000

/** Resolutions of a PNG in dots per inch, as common label printers have them. */
const LABEL_DPIS = [203, 300, 600] as const

/** An object that can have a label. */
const labelSubject = z.object({ kind: z.enum(SCAN_KINDS), id: z.uuid() })
export type LabelSubject = z.output<typeof labelSubject>

const things = z
  .array(labelSubject)
  .check(
    z.minLength(1, 'Choose the objects that need labels.'),
    z.maxLength(MAX_LABEL_SUBJECTS, `At most ${MAX_LABEL_SUBJECTS} objects at a time.`),
  )

const fields = z.array(z.enum(LABEL_FIELDS)).check(z.maxLength(LABEL_FIELDS.length))

/** Text of a label. A field that the object does not have is null. */
const labelText = { name: z.string(), sku: nullable.text, location: nullable.text }

/** Content of one label. */
export const label = z.object({
  kind: z.enum(SCAN_KINDS),
  id: z.uuid(),
  code: z.string(),
  /** Content of the QR code; see `labelPayload`. */
  payload: z.string(),
  ...labelText,
  /** The price, formatted in the configured currency. */
  price: nullable.text,
  /**
   * Distinct characters that our fonts do not contain. A PDF or a picture shows them as boxes; a browser uses
   * its own fonts for them.
   */
  missing_letters: z.array(z.string()),
  /**
   * The QR code: the number of modules on a side, and its dark modules as an SVG path in a square of that
   * size.
   */
  qr: z.object({ modules: z.number(), path: z.string() }),
})
export type Label = z.output<typeof label>

export const readLabels = post('/api/labels', 'signed-in', {
  summary: 'Content of the labels of these objects, in the order of the request, without deleted objects',
  body: z.object({ things }),
  returns: z.array(label),
})

const totalOf = (labels: readonly { copies: number }[]): number =>
  labels.reduce((sum, { copies }) => sum + copies, 0)

export const printLabelSheet = post('/api/labels/sheet', 'signed-in', {
  summary: 'Labels as a PDF in their exact size',
  body: z.object({
    labels: z
      .array(
        z.object({
          ...labelSubject.shape,
          copies: z._default(
            z
              .int('copies must be a whole number')
              .check(z.gte(1), z.lte(MAX_LABEL_COPIES, `At most ${MAX_LABEL_COPIES} copies of a label.`)),
            1,
          ),
        }),
      )
      .check(
        z.minLength(1, 'Choose the objects that need labels.'),
        z.maxLength(MAX_LABEL_SUBJECTS, `At most ${MAX_LABEL_SUBJECTS} objects at a time.`),
        z.refine(
          (labels) => totalOf(labels) <= MAX_LABELS_PER_RUN,
          `At most ${MAX_LABELS_PER_RUN} labels at a time.`,
        ),
      ),
    /** Name of a paper, such as `62x29` or `avery-l7160`, or its dimensions. */
    paper: z.union([
      z.string().check(z.refine((id) => findPaper(id) !== null, 'paper is not a known paper')),
      labelPaper,
    ]),
    fields: z._default(fields, [...DEFAULT_LABEL_FIELDS]),
    /** Position of the first free label on the first page, counted row by row from 1. */
    start_cell: z._default(z.int('start_cell must be a whole number').check(z.gte(1)), 1),
  }),
  sends: 'application/pdf',
  errors: ['LABEL_START_BEYOND', 'LABELS_GONE', 'UNAVAILABLE'],
})

/** A label that was never printed, or whose text has changed since it was printed. */
const queuedLabel = z.object({
  kind: z.enum(LABELLED_KINDS),
  id: z.uuid(),
  code: z.string(),
  ...labelText,
  reason: z.enum(['never_printed', 'changed']),
  printed_at: z.nullable(z.iso.datetime({ offset: true })),
})
export type QueuedLabel = z.output<typeof queuedLabel>

export const listLabelQueue = list('/api/labels/queue', 'signed-in', {
  summary: 'Labels that were never printed, or whose text has changed since they were printed; newest first',
  filter: {
    kind: z.optional(z.enum(LABELLED_KINDS, 'kind must be item, location, spool or printer')),
  },
  of: queuedLabel,
})

export const markLabelsPrinted = post('/api/labels/printed', 'staff', {
  summary: 'Remove labels from the queue until their text changes',
  body: z.object({
    labels: z
      .array(z.object({ kind: z.enum(LABELLED_KINDS), id: z.uuid() }))
      .check(
        z.minLength(1, 'Choose the labels that were printed.'),
        z.maxLength(MAX_LABEL_SUBJECTS, `At most ${MAX_LABEL_SUBJECTS} objects at a time.`),
      ),
    /** Fields that were printed besides the code. */
    fields: z._default(fields, [...DEFAULT_LABEL_FIELDS]),
  }),
})

const labelPictureQuery = z.object({
  /** The default is the format that `Accept` prefers, otherwise SVG. */
  format: z.optional(z.enum(['svg', 'png'], 'format must be svg or png')),
  /** Size of the whole label, such as `62x29`. The default is the QR code alone. */
  size: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => readLabelSize(text) !== null,
          `size must be width x height in millimeters, each from ${MIN_LABEL_MM} to ${MAX_LABEL_MM}, such as 62x29`,
        ),
      ),
  ),
  /** Comma-separated fields of a whole label. */
  fields: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) =>
            text.split(',').every((field) => field === '' || LABEL_FIELDS.some((known) => known === field)),
          `fields must be one or more of ${LABEL_FIELDS.join(', ')}`,
        ),
      ),
  ),
  dpi: z._default(
    z.coerce
      .number()
      .check(
        z.refine((dpi) => LABEL_DPIS.some((known) => known === dpi), `dpi must be ${LABEL_DPIS.join(', ')}`),
      ),
    LABEL_DPIS[0],
  ),
  /** `expires` and `signature` are the parts of a signed URL. */
  expires: z.optional(z.string()),
  signature: z.optional(z.string()),
})

const labelPicture = (subject: string) => ({
  summary: `Label of ${subject} as a picture: only the QR code, or the whole label if a size is given`,
  isSignable: true,
  query: labelPictureQuery,
  sends: 'image/svg+xml',
})

export const getItemLabel = get('/api/inventory/:id/label', 'signed-in', {
  ...labelPicture('an item'),
  errors: ['ITEM_NOT_FOUND'],
})

export const getLocationLabel = get('/api/locations/:id/label', 'signed-in', {
  ...labelPicture('a location'),
  errors: ['LOCATION_NOT_FOUND'],
})

export const getSpoolLabel = get('/api/filament/:id/label', 'signed-in', {
  ...labelPicture('a spool'),
  errors: ['SPOOL_NOT_FOUND'],
})

export const getPrinterLabel = get('/api/printers/:id/label', 'signed-in', {
  ...labelPicture('a printer'),
  errors: ['PRINTER_NOT_FOUND'],
})

/** Returns the lines of a label: the name if it was chosen, the code, and then the other chosen fields. */
export function labelLines(
  labelSubject: Pick<Label, 'name' | 'code' | 'sku' | 'location' | 'price'>,
  chosen: readonly LabelField[],
): LabelLine[] {
  const lines: LabelLine[] = chosen.includes('name') ? [{ field: 'name', text: labelSubject.name }] : []
  lines.push({ field: 'code', text: labelSubject.code })
  for (const field of ['sku', 'location', 'price'] as const) {
    const text = labelSubject[field]
    // The path of a root location is its name, and the label already shows the name.
    if (chosen.includes(field) && text && text !== labelSubject.name) lines.push({ field, text })
  }
  return lines
}
