import type { TableImport } from '@pegasus/contracts/inventory/csv'
import { fromMinor } from '@pegasus/contracts/money'
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { fingerprintOf, withIdempotency, type IdempotentCaller } from '../../../platform/http/idempotency.ts'
import { isUuid } from '../../../platform/http/paging.ts'
import { type AuditEvent, writeAudit, writeAudits } from '../../audit/index.ts'
import { publishAll } from '../../events/index.ts'
import { saveCosts } from '../costs/save-costs.ts'
import { type Presentation, presentItem } from '../items/items.present.ts'
import type { ItemRow } from '../items/items.queries.ts'
import { changeItem } from '../items/apply-item-edit.ts'
import { auditedItem } from '../items/item-fields.ts'
import { lockItems } from '../items/item-changes.queries.ts'
import { createItem } from '../items/create-item.ts'
import { ensureLocation, parseLocationPath } from '../locations/ensure-location.ts'
import { cellText } from './item-cells.ts'
import type { CsvUpload } from './receive-csv.ts'
import { planRow, type RowError, type RowPlan } from './csv-import-plan.ts'
import type { CsvRow, CsvRows } from './read-item-rows.ts'
import type { ReadItemRows } from './csv-workers.ts'
import { findModelIds, listMissingLocations, matchSkus } from './csv.queries.ts'
import { PATH_SEPARATOR } from '@pegasus/contracts/inventory/locations'

/**
 * Returns the paths of the locations that these plans would create. The preview shows them, because a typing
 * error in a path would create a location.
 */
async function findNewLocations(sql: Queryable, plans: readonly RowPlan[]): Promise<string[]> {
  const asked = new Map<string, 'place' | 'bin'>()
  for (const plan of plans) {
    const place = plan.action === 'create' ? plan.item.place : plan.action === 'update' ? plan.place : null
    if (!place) continue
    const { names, bin } = parseLocationPath(place)
    for (const end of names.keys()) asked.set(names.slice(0, end + 1).join(PATH_SEPARATOR), 'place')
    if (bin !== '') asked.set([...names, bin].join(PATH_SEPARATOR), 'bin')
  }
  return asked.size === 0 ? [] : listMissingLocations(sql, asked)
}

/** Returns the parsed value of a cell as text, or null for an empty cell. */
const parsedText = (value: unknown): string | null => {
  if (Array.isArray(value)) return value.join(', ') || null
  return typeof value === 'string' || typeof value === 'number' ? String(value) || null : null
}

/**
 * Returns a version of `ensureLocation` that remembers its results, because the rows of a file share few locations. A
 * found location cannot change in the meantime, because it is locked until the transaction ends.
 */
function rememberPlaces(): typeof ensureLocation {
  const known = new Map<string, Promise<string | null>>()
  return (tx, place, now) => {
    const key = JSON.stringify([place.location, place.bin])
    const id = known.get(key) ?? ensureLocation(tx, place, now)
    known.set(key, id)
    return id
  }
}

const MAX_LISTED_ERRORS = 1000
const MAX_LISTED_CHANGES = 200
/** Number of rows that are planned before other requests get a chance to run. */
const PLANNED_AT_A_TIME = 50
/** Number of rows whose statements are sent together, without waiting for each other. */
const WRITTEN_AT_A_TIME = 50
/** Number of audit entries in one statement, because a statement has a limited number of values. */
const AUDITS_AT_ONCE = 500

export interface CsvImports {
  /**
   * Adds and changes items from a CSV file: either all rows or none. A dry run writes nothing. Throws
   * TABLE_REJECTED with the reasons for each row, or IDEMPOTENCY_KEY_REUSED.
   */
  run(form: CsvUpload, by: IdempotentCaller): Promise<TableImport>
}

interface Plan {
  table: CsvRows
  plans: RowPlan[]
  errors: RowError[]
  /** The paths of locations that do not exist yet. */
  newPlaces: string[]
}

export function createCsvImports(
  deps: Presentation & { database: Database; clock: Clock; readItemRows: ReadItemRows },
): CsvImports {
  const { database, clock, currency, readItemRows } = deps

  /** Returns an error for each row with a SKU that an earlier row already has. */
  const findTwins = (rows: readonly CsvRow[], keyOf: ReadonlyMap<string, string>): RowError[] => {
    const first = new Map<string, number>()
    return rows.flatMap(({ row, sku }) => {
      const key = keyOf.get(sku)
      const other = key === undefined ? undefined : first.get(key)
      if (key !== undefined && other === undefined) first.set(key, row)
      const message = `Row ${other} has the same SKU.`
      return other === undefined ? [] : [{ row, column: 'sku', sku, message }]
    })
  }

  const makePlan = async (tx: Queryable, table: CsvRows): Promise<Plan> => {
    const { rows } = table
    const skus = [...new Set(rows.map(({ sku }) => sku).filter((sku) => sku !== ''))]
    const found = await matchSkus(tx, skus)
    const locked = await lockItems(
      tx,
      found.flatMap(({ item_id: id }) => id ?? []),
    )
    // Match again, because an item may have got another SKU while this transaction waited for the locks.
    const matches = await matchSkus(tx, skus)
    const keyOf = new Map(matches.map(({ sku, key }) => [sku, key]))
    const idOf = new Map(matches.map(({ sku, item_id: id }) => [sku, id]))
    const items = new Map(locked.filter((row) => row.deleted_at === null).map((row) => [row.id, row]))
    const asked = rows.map(({ fields: { stl_file_id: id } }) => id).filter(isUuid)
    const modelIds = await findModelIds(tx, [...new Set(asked)])
    const errors = findTwins(rows, keyOf)
    const plans: RowPlan[] = []
    for (const [index, row] of rows.entries()) {
      if (index % PLANNED_AT_A_TIME === PLANNED_AT_A_TIME - 1) await setImmediate()
      const plan = planRow(row, { item: items.get(idOf.get(row.sku) ?? ''), modelIds, currency })
      if (Array.isArray(plan)) errors.push(...plan)
      else plans.push(plan)
    }
    return {
      table,
      plans,
      errors: errors.toSorted((a, b) => a.row - b.row),
      newPlaces: await findNewLocations(tx, plans),
    }
  }

  const money = (minor: unknown) => (typeof minor === 'number' ? String(fromMinor(minor, currency)) : null)

  /** Returns the changed fields of an item, with the names of the CSV columns. */
  const changeOf = (plan: RowPlan): TableImport['changes'] => {
    if (plan.action === 'unchanged') return []
    const { row, action } = plan
    if (action === 'create') {
      const { sku, name } = plan.item.fields
      const fields = Object.entries(plan.given)
        .map(([column, value]) => ({ name: column, before: null, after: parsedText(value) }))
        .filter(({ name: column, after }) => column !== 'name' && after !== null)
      return [{ row, action, sku: sku || null, name, fields }]
    }
    const before = presentItem(plan.item, deps)
    const fields = plan.columns.map((name) => {
      const minor = plan.fields[`${name}_minor` as keyof typeof plan.fields]
      const after = minor === undefined ? plan.body[name] : money(minor)
      return {
        name,
        before: cellText(before, name),
        after: after == null || after === '' ? null : String(after),
      }
    })
    return [{ row, action, sku: plan.item.sku, name: plan.fields.name ?? plan.item.name, fields }]
  }

  const reportOn = ({ table, plans, errors, newPlaces }: Plan, isDryRun: boolean): TableImport => {
    const count = (action: RowPlan['action']) => plans.filter((plan) => plan.action === action).length
    return {
      dry_run: isDryRun,
      rows: table.rows.length,
      created: count('create'),
      updated: count('update'),
      unchanged: count('unchanged'),
      unknown_columns: table.unknownColumns,
      errors: errors.slice(0, MAX_LISTED_ERRORS),
      error_count: errors.length,
      new_places: newPlaces.slice(0, MAX_LISTED_CHANGES),
      changes: plans
        .filter(({ action }) => action !== 'unchanged')
        .slice(0, MAX_LISTED_CHANGES)
        .flatMap(changeOf),
    }
  }

  const refuse = (report: TableImport): never => {
    const errors = report.errors.map(({ row, column, message }) => ({
      path: column === null ? String(row) : `${row}.${column}`,
      message: `Row ${row}${column === null ? '' : `, ${column}`}: ${message}`,
    }))
    const message = `Nothing was imported: ${report.error_count === 1 ? 'one field needs' : `${report.error_count} fields need`} attention. ${errors[0]?.message ?? ''}`
    throw new AppError('TABLE_REJECTED', { text: message, errors, body: { import: report } })
  }

  const auditImport = async (
    tx: Queryable,
    changes: readonly { id: string; before: ItemRow | null }[],
    report: TableImport,
    by: AuditContext,
  ) => {
    const rows = await lockItems(
      tx,
      changes.map(({ id }) => id),
    )
    const after = new Map(rows.map((row) => [row.id, row]))
    const events = changes.flatMap(({ id, before }): AuditEvent[] => {
      const row = after.get(id)
      if (!row) return []
      const action = before ? 'item.updated' : 'item.created'
      const sides = {
        ...(before && { before: auditedItem(before, currency) }),
        after: auditedItem(row, currency),
      }
      return [{ action, entity: 'inventory_item', entityId: id, entityName: row.name, ...sides }]
    })
    for (let at = 0; at < events.length; at += AUDITS_AT_ONCE)
      await writeAudits(tx, events.slice(at, at + AUDITS_AT_ONCE), by)
    const { created, updated, unchanged } = report
    const event = { action: 'items.imported', entity: 'inventory', entityId: null } as const
    await writeAudit(tx, { ...event, after: { rows: report.rows, created, updated, unchanged } }, by)
    await publishAll(
      tx,
      changes.map(({ id }) => ({ type: 'updated', entity: 'inventory_item' as const, id })),
    )
  }

  const applyPlan = async (tx: Queryable, plan: Plan, report: TableImport, by: AuditContext) => {
    const findPlace = rememberPlaces()
    const write = async (each: Exclude<RowPlan, { action: 'unchanged' }>) => {
      if (each.action === 'create')
        return { id: await createItem(tx, each.item, by, findPlace), before: null }
      await changeItem(tx, each.item, each, by)
      return { id: each.item.id, before: each.item }
    }
    const toWrite = plan.plans.filter((each) => each.action !== 'unchanged')
    const changes: { id: string; before: ItemRow | null }[] = []
    for (let at = 0; at < toWrite.length; at += WRITTEN_AT_A_TIME)
      changes.push(...(await Promise.all(toWrite.slice(at, at + WRITTEN_AT_A_TIME).map(write))))
    await saveCosts(
      tx,
      changes.map(({ id }) => id),
      { now: by.now, currency },
    )
    await auditImport(tx, changes, report, by)
  }

  return {
    async run({ bytes, isDryRun }, { accountId, idempotencyKey, audit }) {
      const table = await readItemRows(bytes)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const fingerprint = fingerprintOf('inventory/import', sha256, isDryRun)
      const key = isDryRun ? null : idempotencyKey
      const answer = await database.transaction((tx) =>
        withIdempotency(tx, { key, accountId, fingerprint, clock }, async () => {
          const plan = await makePlan(tx, table)
          const report = reportOn(plan, isDryRun)
          if (!isDryRun && report.error_count > 0) refuse(report)
          if (!isDryRun) await applyPlan(tx, plan, report, audit)
          return { status: 200, body: report }
        }),
      )
      return answer.body
    },
  }
}
