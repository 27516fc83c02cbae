import { setImmediate } from 'node:timers/promises'
import {
  type Label,
  type LabelField,
  LABELLED_KINDS,
  type LabelledKind,
  type LabelSubject,
} from '@pegasus/contracts/labels/labels'
import { fromMinor } from '@pegasus/contracts/money'
import { labelPayload } from '@pegasus/contracts/labels/scan-codes'
import type { LabelPaper } from '@pegasus/contracts/labels/label-papers'
import type { SlipPaper } from '@pegasus/contracts/orders/papers'
import type { ErrorCode } from '@pegasus/contracts/errors'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Page, toPage, type PageRequest } from '../../platform/http/paging.ts'
import { traceQrCode } from '../../platform/qr-code.ts'
import {
  saveItemLabelPrints,
  saveLocationLabelPrints,
  savePrinterLabelPrints,
  saveSpoolLabelPrints,
} from '../../platform/database/label-prints.ts'
import type { DrawPdf } from '../../platform/pdf/pdf-workers.ts'
import { missingLetters } from '../../platform/pdf/fonts.ts'
import type { LabelToDraw, SheetRequest } from './sheet.protocol.ts'
import {
  type QueuedRow,
  type LabelSubjectRow,
  countDueLabels,
  findLabelSubjects,
  listDueLabels,
  readPrintedValues,
} from './label-subjects.queries.ts'

const CODES_AT_A_TIME = 20

const KEEP_PRINTS: Readonly<Record<LabelledKind, typeof saveSpoolLabelPrints>> = {
  item: saveItemLabelPrints,
  location: saveLocationLabelPrints,
  spool: saveSpoolLabelPrints,
  printer: savePrinterLabelPrints,
}

const GONE: Readonly<Record<LabelledKind, ErrorCode>> = {
  item: 'ITEM_NOT_FOUND',
  location: 'LOCATION_NOT_FOUND',
  spool: 'SPOOL_NOT_FOUND',
  printer: 'PRINTER_NOT_FOUND',
}

export interface Labels {
  /** Returns the labels of these objects, in the given order. Deleted objects are left out. */
  read(things: readonly LabelSubject[]): Promise<Label[]>
  /**
   * Returns the label of an object. Throws ITEM_NOT_FOUND, LOCATION_NOT_FOUND, SPOOL_NOT_FOUND or PRINTER_NOT_FOUND.
   */
  get(kind: LabelledKind, id: string): Promise<Label>
  /**
   * Returns a PDF of the labels. Throws LABELS_GONE if all chosen objects are deleted, LABEL_START_BEYOND, or
   * UNAVAILABLE.
   */
  drawSheet(run: {
    labels: readonly (LabelSubject & { copies: number })[]
    paper: LabelPaper
    fields: readonly LabelField[]
    startCell: number
  }): Promise<Buffer>
  /** Returns the quick start, a page with the first steps, as a PDF. Throws UNAVAILABLE. */
  drawQuickStart(paper: SlipPaper): Promise<Buffer>
  listDue(kind: LabelledKind | undefined, page: PageRequest): Promise<Page<QueuedRow>>
  /** Marks labels as printed, so that they are no longer due. Ignores deleted objects. */
  markPrinted(
    things: readonly { kind: LabelledKind; id: string }[],
    fields: readonly LabelField[],
  ): Promise<void>
}

export function createLabels(deps: {
  database: Database
  clock: Clock
  publicUrl: string
  currency: string
  locale: string | null
  drawPdf: DrawPdf<SheetRequest>
}): Labels {
  const { database, clock, publicUrl, currency } = deps
  const { sql } = database
  const money = new Intl.NumberFormat(deps.locale ?? 'en', { style: 'currency', currency })

  const wordsOf = ({ price_minor, ...row }: LabelSubjectRow): Omit<Label, 'qr'> => {
    const payload = labelPayload(row.code, publicUrl)
    const price = price_minor === null ? null : money.format(fromMinor(price_minor, currency))
    const others = [row.sku, row.location, price].filter((text) => text !== null).join(' ')
    const missing = [
      ...missingLetters(row.name, { isBold: true }),
      ...missingLetters(others, { isBold: false }),
    ]
    return { ...row, price, payload, missing_letters: [...new Set(missing)] }
  }

  /** Reads the texts of the labels of these objects. The keys of the result consist of kind and id. */
  const readWords = async (things: readonly LabelSubject[]): Promise<Map<string, Omit<Label, 'qr'>>> => {
    const rows = await findLabelSubjects(sql, things)
    return new Map(rows.map((row) => [`${row.kind} ${row.id}`, wordsOf(row)]))
  }

  const readLabels = async (things: readonly LabelSubject[]): Promise<Label[]> => {
    const known = await readWords(things)
    const labels: Label[] = []
    for (const [index, { kind, id }] of things.entries()) {
      const words = known.get(`${kind} ${id}`)
      if (words) labels.push({ ...words, qr: traceQrCode(words.payload) })
      // Let other requests run after every few codes, because each code takes half a millisecond.
      if (index % CODES_AT_A_TIME === CODES_AT_A_TIME - 1) await setImmediate()
    }
    return labels
  }

  const keepPrintsOf = async (
    tx: Queryable,
    kind: LabelledKind,
    prints: readonly { kind: LabelledKind; id: string; facts: Record<string, unknown> }[],
  ): Promise<void> => {
    const own = prints.filter((print) => print.kind === kind).map(({ id, facts }) => ({ id, facts }))
    if (own.length > 0) await KEEP_PRINTS[kind](tx, own, clock.now())
  }

  return {
    read: readLabels,

    async get(kind, id) {
      const [label] = await readLabels([{ kind, id }])
      if (!label) throw new AppError(GONE[kind])
      return label
    },

    async drawSheet({ labels, paper, fields, startCell }) {
      if (startCell > paper.columns * paper.rows) throw new AppError('LABEL_START_BEYOND')
      const known = await readWords(labels)
      const run = labels.flatMap(({ kind, id, copies }): LabelToDraw[] => {
        const words = known.get(`${kind} ${id}`)
        return words ? [{ ...words, copies }] : []
      })
      if (run.length === 0) throw new AppError('LABELS_GONE')
      return deps.drawPdf({ sheet: { labels: run, paper, fields, startCell } })
    },

    drawQuickStart: (paper) => deps.drawPdf({ quickStart: { publicUrl, paper } }),

    async listDue(kind, page) {
      const [rows, total] = await Promise.all([listDueLabels(sql, kind, page), countDueLabels(sql, kind)])
      return toPage(rows, page.limit, total)
    },

    async markPrinted(things, fields) {
      await database.transaction(async (tx) => {
        const prints = await readPrintedValues(tx, things, fields)
        for (const kind of LABELLED_KINDS) await keepPrintsOf(tx, kind, prints)
      })
    },
  }
}
