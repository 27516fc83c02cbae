import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { ITEM_NAME_MAX_LENGTH, SKU_MAX_LENGTH } from '@pegasus/contracts/inventory/items'
import type { CreateIdenticalBody, DuplicateItemBody } from '@pegasus/contracts/inventory/item-changes'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { writeAudits } from '../../audit/index.ts'
import { saveCosts } from '../costs/save-costs.ts'
import { type Presentation, presentItem } from './items.present.ts'
import { type ItemRow, findItem, isLiveModel } from './items.queries.ts'
import { createItem } from './create-item.ts'
import { type ItemToAdd, auditedItem, itemFieldsOf, itemToAdd } from './item-fields.ts'
import { lockItems } from './item-changes.queries.ts'

/** Adds items that have the same fields as another item, or as each other. */
export interface Copies {
  /** Copies an item. Throws ITEM_NOT_FOUND, SKU_TAKEN or IDEMPOTENCY_KEY_REUSED. */
  duplicate(id: string, body: DuplicateItemBody, by: IdempotentCaller): Promise<HttpResult<InventoryItem>>
  /**
   * Adds several items with the same fields, either all or none. Throws the errors of adding a single item.
   */
  createIdentical(body: CreateIdenticalBody, by: IdempotentCaller): Promise<HttpResult<InventoryItem[]>>
}

const COPY = ' (copy)'

interface CopiesDeps extends Presentation {
  database: Database
  clock: Clock
}

/** Returns the SKU of the nth copy. Throws ITEM_INVALID if it is too long. */
function numbered(sku: string, n: number): string {
  const numberedSku = `${sku}-${n}`
  if (numberedSku.length <= SKU_MAX_LENGTH) return numberedSku
  const message = `SKU is too long: with the number of the copy, it can have at most ${SKU_MAX_LENGTH} characters`
  throw new AppError('ITEM_INVALID', { text: message, errors: [{ path: 'sku', message }] })
}

export function createCopies(deps: CopiesDeps): Copies {
  const { database, clock, currency } = deps

  const addAll = async (tx: Queryable, items: readonly ItemToAdd[], by: AuditContext) => {
    const ids: string[] = []
    for (const item of items) ids.push(await createItem(tx, item, by))
    await saveCosts(tx, ids, { now: by.now, currency })
    const rows = await lockItems(tx, ids)
    await writeAudits(
      tx,
      rows.map((row) => ({
        action: 'item.created',
        entity: 'inventory_item',
        entityId: row.id,
        entityName: row.name,
        after: auditedItem(row, currency),
      })),
      by,
    )
    return rows.map((row) => presentItem(row, deps))
  }

  /** Returns the fields for a copy of an item. A model that is in the trash is left out. */
  const copyOf = async (tx: Queryable, row: ItemRow, body: DuplicateItemBody): Promise<ItemToAdd> => {
    const isModelLive = row.stl_file_id !== null && (await isLiveModel(tx, row.stl_file_id))
    const { name = `${row.name.slice(0, ITEM_NAME_MAX_LENGTH - COPY.length)}${COPY}` } = body
    return {
      fields: {
        ...itemFieldsOf(row),
        name,
        sku: body.sku ?? '',
        stl_file_id: isModelLive ? row.stl_file_id : null,
      },
      quantity: body.quantity,
      openingKind: 'count',
      place: { location: row.location, bin: row.bin_location },
    }
  }

  return {
    duplicate: (id, body, by) =>
      writeOnce({ database, clock }, by, ['inventory/duplicate', id, body], async (tx, { audit }) => {
        const row = await findItem(tx, id)
        if (!row) throw new AppError('ITEM_NOT_FOUND')
        const [copy] = await addAll(tx, [await copyOf(tx, row, body)], audit)
        if (!copy) throw new Error('A copy was made and is not there.')
        return { status: 201, body: copy }
      }),

    createIdentical: ({ copies, ...body }, by) => {
      const item = itemToAdd(body, currency)
      const { sku } = item.fields
      const items = Array.from({ length: copies }, (_, at) => ({
        ...item,
        fields: { ...item.fields, sku: sku === '' || copies === 1 ? sku : numbered(sku, at + 1) },
      }))
      return writeOnce(
        { database, clock },
        by,
        ['inventory/identical', copies, body],
        async (tx, { audit }) => ({
          status: 201,
          body: await addAll(tx, items, audit),
        }),
      )
    },
  }
}
