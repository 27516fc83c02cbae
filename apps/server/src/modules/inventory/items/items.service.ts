import type { AuditAction } from '@pegasus/contracts/audit'
import type { BulkItemsBody, CreateItemBody, UpdateItemBody } from '@pegasus/contracts/inventory/item-changes'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { recordChanges, writeAudits } from '../../audit/index.ts'
import { saveCosts } from '../costs/save-costs.ts'
import { type Presentation, presentItem } from './items.present.ts'
import { type ItemRow, findItem } from './items.queries.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { createItem } from './create-item.ts'
import { changeItem } from './apply-item-edit.ts'
import { auditedItem, fieldsOfEdit, itemToAdd } from './item-fields.ts'
import { type ItemUses, listTakenSkus, lockItems, readItemUses, setDeleted } from './item-changes.queries.ts'
import { ensureLocation } from '../locations/ensure-location.ts'
import { pieces } from '../stock/quantity-text.ts'

const listOf = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/**
 * Returns the reason why an item cannot be deleted yet, with what to do about it. Returns null if it can be deleted.
 * Finished jobs, orders and unpublished products do not prevent the deletion, because they store the item's name.
 */
function reasonToKeep({ reserved_quantity: reserved, print_jobs: jobs, products }: ItemUses): string | null {
  const reasons: string[] = []
  const remedies: string[] = []
  if (jobs > 0) {
    reasons.push(jobs === 1 ? '1 print job will print it' : `${jobs} print jobs will print it`)
    remedies.push(jobs === 1 ? 'finish or cancel that job' : 'finish or cancel those jobs')
  }
  if (reserved > 0) {
    reasons.push(`${pieces(reserved)} reserved`)
    remedies.push('release the reserved pieces')
  }
  if (products.length > 0) {
    const names = listOf(products.map((name) => `“${name}”`))
    reasons.push(
      products.length === 1
        ? `the product ${names} is linked to it`
        : `the products ${names} are linked to it`,
    )
    remedies.push(
      products.length === 1 ? 'link that product to another item' : 'link those products to other items',
    )
  }
  if (reasons.length === 0) return null
  return `This item cannot be deleted yet: ${listOf(reasons)}. Please ${listOf(remedies)} first.`
}

/**
 * Number of items that are changed in one transaction. Larger batches are faster but make other requests
 * wait.
 */
const BATCH = 100

const NOT_THERE = 'This item is not in the inventory.'

export interface Items {
  /** Adds an item. Throws ITEM_INVALID, MODEL_NOT_FOUND, LOCATION_INVALID, SKU_TAKEN or IDEMPOTENCY_KEY_REUSED. */
  create(body: CreateItemBody, by: IdempotentCaller): Promise<HttpResult<InventoryItem>>
  /**
   * Changes the given fields. `revision` comes from `If-Match`; null accepts any revision. Throws ITEM_NOT_FOUND,
   * PRECONDITION_FAILED with the current item, and the errors of `create`.
   */
  update(id: string, edit: UpdateItemBody, revision: number | null, by: AuditContext): Promise<ItemRow>
  /** Moves an item to the trash. Throws ITEM_NOT_FOUND, PRECONDITION_FAILED, or ITEM_IN_USE with a remedy. */
  remove(id: string, revision: number | null, by: AuditContext): Promise<void>
  /** Restores an item from the trash; a live item stays unchanged. Throws ITEM_NOT_FOUND or SKU_TAKEN. */
  restore(id: string, by: AuditContext): Promise<ItemRow>
  /** Makes the same change to many items and reports the items that cannot be changed. Throws INVALID_INPUT. */
  bulk(change: BulkItemsBody, by: AuditContext): Promise<BulkResult>
}

/** Work of other modules that belongs to a change of items. */
export interface ItemHooks {
  /** Runs in the transaction that has restored the items from the trash. */
  onRestore: (tx: Queryable, itemIds: readonly string[], by: AuditContext) => Promise<void>
}

interface KeepingDeps extends Presentation, ItemHooks {
  database: Database
  clock: Clock
}

interface Change {
  row: ItemRow
  after?: ItemRow
}

export function createItems(deps: KeepingDeps): Items {
  const { database, clock, currency, onRestore } = deps

  const recordChange = (tx: Queryable, action: AuditAction, changes: readonly Change[], by: AuditContext) =>
    recordChanges<ItemRow>(
      tx,
      {
        action,
        entity: 'inventory_item',
        nameOf: ({ name }) => name,
        fieldsOf: (row) => auditedItem(row, currency),
      },
      changes,
      by,
    )

  const assertCurrent = (row: ItemRow, revision: number | null) =>
    assertRevision(revision, row, () => presentItem(row, deps))

  const lockLive = async (tx: Queryable, id: string): Promise<ItemRow> => {
    const [row] = await lockItems(tx, [id])
    if (!row || row.deleted_at !== null) throw new AppError('ITEM_NOT_FOUND')
    return row
  }

  const getRow = async (tx: Queryable, id: string): Promise<ItemRow> => {
    const row = await findItem(tx, id)
    if (!row) throw new Error('An item that is locked is not there.')
    return row
  }

  /** Applies one edit to locked items. */
  const edit = async (tx: Queryable, rows: readonly ItemRow[], body: UpdateItemBody, by: AuditContext) => {
    const change = { body, fields: fieldsOfEdit(body, currency) }
    const changed: ItemRow[] = []
    const recosted: string[] = []
    for (const row of rows) {
      const { isChanged, isCostChanged } = await changeItem(tx, row, change, by)
      if (isChanged) changed.push(row)
      if (isCostChanged) recosted.push(row.id)
    }
    await saveCosts(tx, recosted, { now: by.now, currency })
    const ids = changed.map((row) => row.id)
    const after = new Map((await lockItems(tx, ids)).map((row) => [row.id, row]))
    const changes = changed.map((row) => ({ row, after: after.get(row.id) ?? row }))
    await recordChange(tx, 'item.updated', changes, by)
  }

  /** Returns whether an item is in the trash and can still be restored. */
  const isInTrash = (row: ItemRow, now: Date): boolean =>
    row.deleted_at !== null && new Date(row.deleted_at) > trashCutoff(now)

  const restoreAll = async (tx: Queryable, rows: readonly ItemRow[], by: AuditContext) => {
    for (const row of rows) {
      // The location may have been deleted in the meantime. This finds or creates a location with the same path.
      const place = await ensureLocation(tx, { location: row.location, bin: row.bin_location }, by.now)
      await tx`update items set location_id = ${place} where id = ${row.id}`
    }
    const ids = rows.map((row) => row.id)
    await setDeleted(tx, ids, { deletedAt: null, now: by.now })
    await recordChange(
      tx,
      'item.restored',
      rows.map((row) => ({ row })),
      by,
    )
    await onRestore(tx, ids, by)
  }

  const trashAll = async (tx: Queryable, rows: readonly ItemRow[], by: AuditContext) => {
    const ids = rows.map((row) => row.id)
    await setDeleted(tx, ids, { deletedAt: by.now, now: by.now })
    await recordChange(
      tx,
      'item.deleted',
      rows.map((row) => ({ row })),
      by,
    )
  }

  type Failed = BulkResult['failed']

  /** Splits items into those that can be moved to the trash and those that cannot, with the reasons. */
  const sortOutTrashing = async (tx: Queryable, rows: readonly ItemRow[]): Promise<[ItemRow[], Failed]> => {
    const uses = await readItemUses(
      tx,
      rows.map((row) => row.id),
    )
    const reasons = new Map(uses.map((use) => [use.id, reasonToKeep(use)]))
    const failed = rows.flatMap(({ id }) => {
      const detail = reasons.get(id)
      return detail ? [{ id, detail }] : []
    })
    return [rows.filter((row) => !reasons.get(row.id)), failed]
  }

  /**
   * Splits items into those that can be restored and those that cannot, with the reasons. If two of them have the same
   * SKU, only the first is restored.
   */
  const sortOutRestoring = async (tx: Queryable, rows: readonly ItemRow[]): Promise<[ItemRow[], Failed]> => {
    const taken = await listTakenSkus(
      tx,
      rows.map((row) => row.sku),
    )
    const good: ItemRow[] = []
    const restored = new Set<string>()
    const failed: Failed = []
    for (const row of rows) {
      const sku = row.sku.toLowerCase()
      if (taken.has(row.sku) || restored.has(sku)) failed.push({ id: row.id, detail: skuTaken(row.sku) })
      else good.push(row)
      restored.add(sku)
    }
    return [good, failed]
  }

  const changeBatch = (
    ids: readonly string[],
    { move, ...body }: Omit<BulkItemsBody, 'ids'>,
    by: AuditContext,
  ) =>
    database.transaction(async (tx): Promise<BulkResult> => {
      const locked = await lockItems(tx, ids)
      const there = locked.filter((row) => row.deleted_at === null || (move && isInTrash(row, by.now)))
      // Items that are already in the requested state are reported as changed.
      const rows = there.filter((row) => move === undefined || (row.deleted_at === null) === (move === 'bin'))
      const [good, failed] =
        move === undefined
          ? [rows, []]
          : await (move === 'bin' ? sortOutTrashing(tx, rows) : sortOutRestoring(tx, rows))
      if (move === undefined) await edit(tx, good, body, by)
      else if (good.length > 0) await (move === 'bin' ? trashAll(tx, good, by) : restoreAll(tx, good, by))
      const found = new Set(there.map((row) => row.id))
      const missing = ids.filter((id) => !found.has(id)).map((id) => ({ id, detail: NOT_THERE }))
      const bad = new Set(failed.map(({ id }) => id))
      return { changed: ids.filter((id) => found.has(id) && !bad.has(id)), failed: [...failed, ...missing] }
    })

  return {
    create: (body, by) =>
      writeOnce({ database, clock }, by, ['inventory', body], async (tx, { audit }) => {
        const id = await createItem(tx, itemToAdd(body, currency), audit)
        await saveCosts(tx, [id], { now: audit.now, currency })
        const row = await getRow(tx, id)
        const event = { action: 'item.created', entity: 'inventory_item', entityId: id } as const
        await writeAudits(tx, [{ ...event, entityName: row.name, after: auditedItem(row, currency) }], audit)
        return { status: 201, body: presentItem(row, deps) }
      }),

    update: (id, body, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, id)
        assertCurrent(row, revision)
        await edit(tx, [row], body, by)
        return getRow(tx, id)
      }),

    remove: (id, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, id)
        assertCurrent(row, revision)
        const [, [failure]] = await sortOutTrashing(tx, [row])
        if (failure) throw new AppError('ITEM_IN_USE', { text: failure.detail })
        await trashAll(tx, [row], by)
      }),

    restore: (id, by) =>
      database.transaction(async (tx) => {
        const [row] = await lockItems(tx, [id])
        if (!row || (row.deleted_at !== null && !isInTrash(row, by.now))) throw new AppError('ITEM_NOT_FOUND')
        if (row.deleted_at === null) return row
        const [, [failure]] = await sortOutRestoring(tx, [row])
        if (failure) throw new AppError('SKU_TAKEN', { text: failure.detail })
        await restoreAll(tx, [row], by)
        return getRow(tx, id)
      }),

    async bulk({ ids, ...change }, by) {
      assertOneChange(change)
      const unique = [...new Set(ids.map((id) => id.toLowerCase()))]
      const result: BulkResult = { changed: [], failed: [] }
      for (let at = 0; at < unique.length; at += BATCH) {
        const { changed, failed } = await changeBatch(unique.slice(at, at + BATCH), change, by)
        result.changed.push(...changed)
        result.failed.push(...failed)
      }
      return result
    },
  }
}

const skuTaken = (sku: string): string =>
  `Another item now has the SKU ${sku}. Please change the SKU of that item first.`

/**
 * Throws INVALID_INPUT unless a change is either an edit or a move. It cannot be both, because items in the
 * trash cannot be edited.
 */
function assertOneChange({ move, ...edits }: Omit<BulkItemsBody, 'ids'>): void {
  const isEdit = Object.values(edits).some((value) => value !== undefined)
  if (isEdit !== (move !== undefined)) return
  const message = isEdit
    ? 'Please move items or edit them, not both at once.'
    : 'Please choose what to change.'
  throw new AppError('INVALID_INPUT', { text: message, errors: [{ path: isEdit ? 'move' : 'ids', message }] })
}
