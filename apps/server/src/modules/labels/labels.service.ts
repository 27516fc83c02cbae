import type { Label, LabelField, LabelledKind, LabelThing } from '@pegasus/contracts/labels'
import { fromMinor } from '@pegasus/contracts/money'
import { labelPayload } from '@pegasus/contracts/scan-codes'
import type { LabelPaper } from '@pegasus/contracts/labels-sizes'
import type { ErrorCode } from '@pegasus/contracts/errors'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Cursor, type Page, toPage } from '../../platform/http/paging.ts'
import { traceQrCode } from '../../platform/qr-code.ts'
import { keepSpoolLabelPrints } from '../filament/index.ts'
import { keepItemLabelPrints, keepLocationLabelPrints } from '../inventory/index.ts'
import { drawSheet } from './label-sheet.ts'
import {
  type QueuedRow,
  type ThingRow,
  countDueLabels,
  findThings,
  listDueLabels,
  readPrintedFacts,
} from './things.queries.ts'

const KEEP_PRINTS: Readonly<Record<LabelledKind, typeof keepSpoolLabelPrints>> = {
  item: keepItemLabelPrints,
  location: keepLocationLabelPrints,
  spool: keepSpoolLabelPrints,
}

const GONE: Readonly<Record<LabelledKind, ErrorCode>> = {
  item: 'ITEM_NOT_FOUND',
  location: 'LOCATION_NOT_FOUND',
  spool: 'SPOOL_NOT_FOUND',
}

export interface Labels {
  /** What stands on the labels of these things, in this order; what is gone is left out. */
  read(things: readonly LabelThing[]): Promise<Label[]>
  /** Throws ITEM_NOT_FOUND, LOCATION_NOT_FOUND or SPOOL_NOT_FOUND. */
  get(kind: LabelledKind, id: string): Promise<Label>
  /** A PDF. Throws LABELS_GONE where nothing is left of what was chosen, LABEL_START_BEYOND. */
  drawSheet(run: {
    labels: readonly (LabelThing & { copies: number })[]
    paper: LabelPaper
    fields: readonly LabelField[]
    startCell: number
  }): Promise<Buffer>
  listDue(
    kind: LabelledKind | undefined,
    page: { cursor: Cursor | null; limit: number },
  ): Promise<Page<QueuedRow>>
  /** Takes labels out of the queue; what is gone is passed over. */
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
}): Labels {
  const { database, clock, publicUrl, currency } = deps
  const { sql } = database
  const money = new Intl.NumberFormat(deps.locale ?? 'en', { style: 'currency', currency })

  const labelOf = ({ price_minor, ...row }: ThingRow): Label => {
    const payload = labelPayload(row.code, publicUrl)
    const price = price_minor === null ? null : money.format(fromMinor(price_minor, currency))
    return { ...row, price, payload, qr: traceQrCode(payload) }
  }

  const read = async (things: readonly LabelThing[]): Promise<Label[]> => {
    const rows = await findThings(sql, things)
    const known = new Map(rows.map((row) => [`${row.kind} ${row.id}`, labelOf(row)]))
    return things.flatMap(({ kind, id }) => known.get(`${kind} ${id}`) ?? [])
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
    read,

    async get(kind, id) {
      const [label] = await read([{ kind, id }])
      if (!label) throw new AppError(GONE[kind])
      return label
    },

    async drawSheet({ labels, paper, fields, startCell }) {
      if (startCell > paper.columns * paper.rows) throw new AppError('LABEL_START_BEYOND')
      const known = new Map((await read(labels)).map((label) => [`${label.kind} ${label.id}`, label]))
      const run = labels.flatMap(({ kind, id, copies }) => {
        const label = known.get(`${kind} ${id}`)
        return label ? Array.from({ length: copies }, () => label) : []
      })
      if (run.length === 0) throw new AppError('LABELS_GONE')
      return drawSheet({ labels: run, paper, fields, startCell })
    },

    async listDue(kind, page) {
      const [rows, total] = await Promise.all([listDueLabels(sql, kind, page), countDueLabels(sql, kind)])
      return toPage(rows, page.limit, total)
    },

    async markPrinted(things, fields) {
      await database.transaction(async (tx) => {
        const prints = await readPrintedFacts(tx, things, fields)
        for (const kind of ['item', 'location', 'spool'] as const) await keepPrintsOf(tx, kind, prints)
      })
    },
  }
}
