import type { DraftContent } from '@pegasus/contracts/products/drafts'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** A product draft and its owner. */
export interface DraftRow
  extends Row<
    'drafts',
    | 'id'
    | 'account_id'
    | 'product_id'
    | 'title'
    | 'step'
    | 'is_shared'
    | 'revision'
    | 'created_at'
    | 'updated_at'
    | 'deleted_at'
  > {
  owner_name: string
  content: DraftContent
}

const selectDraft = (sql: Queryable) => sql`
  select d.id, d.account_id, coalesce(nullif(p.full_name, ''), a.username) as owner_name, d.product_id, d.title,
         d.content, d.step, d.is_shared, d.revision, d.created_at, d.updated_at, d.deleted_at
  from drafts d join accounts a on a.id = d.account_id left join profiles p on p.account_id = d.account_id`

/**
 * Returns the SQL condition that an account can see a draft: the draft is its own, or is shared and not in the trash.
 */
const isSeenBy = (sql: Queryable, accountId: string) =>
  sql`(d.account_id = ${accountId} or (d.is_shared and d.deleted_at is null))`

const MOST = 500

export const listDrafts = (sql: Queryable, accountId: string): Promise<DraftRow[]> =>
  sql<DraftRow[]>`
    ${selectDraft(sql)} where d.deleted_at is null and ${isSeenBy(sql, accountId)}
    order by d.updated_at desc, d.id desc limit ${MOST}`

export const findDraft = (sql: Queryable, id: string, accountId: string) =>
  firstRow(sql<DraftRow[]>`${selectDraft(sql)} where d.id = ${id} and ${isSeenBy(sql, accountId)}`)

/** Like `findDraft`, but locks the draft until the transaction ends. */
export async function lockDraft(tx: Queryable, id: string, accountId: string): Promise<DraftRow | null> {
  await tx`select 1 from drafts where id = ${id} for update`
  return findDraft(tx, id, accountId)
}

/** Counts an account's drafts. No other transaction can add a draft to the account until this one ends. */
export async function countDrafts(tx: Queryable, accountId: string): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`drafts:${accountId}`}, 0))`
  const [row] = await tx<[{ total: number }]>`
    select count(*)::int as total from drafts where account_id = ${accountId} and deleted_at is null`
  return row.total
}

export interface NewDraft {
  id: string
  accountId: string
  title: string
  content: DraftContent
  step: number
  isShared: boolean
  now: Date
}

export async function insertDraft(tx: Queryable, draft: NewDraft): Promise<void> {
  const { now } = draft
  await tx`
    insert into drafts (id, account_id, title, content, step, is_shared, created_at, updated_at)
    values (${draft.id}, ${draft.accountId}, ${draft.title}, ${tx.json(draft.content)}, ${draft.step},
            ${draft.isShared}, ${now}, ${now})`
}

export async function updateDraft(
  tx: Queryable,
  id: string,
  draft: Pick<NewDraft, 'title' | 'content' | 'step' | 'isShared' | 'now'>,
): Promise<void> {
  await tx`
    update drafts
    set title = ${draft.title}, content = ${tx.json(draft.content)}, step = ${draft.step},
        is_shared = ${draft.isShared}, revision = revision + 1, updated_at = ${draft.now}
    where id = ${id}`
}

export async function setDraftDeleted(tx: Queryable, id: string, at: Date | null): Promise<void> {
  await tx`update drafts set deleted_at = ${at}, revision = revision + 1 where id = ${id}`
}

/**
 * Locks a draft and returns the id of the product that was created from it. Returns null if no product was
 * created yet, or if the account cannot see the draft.
 */
export async function lockDraftProduct(tx: Queryable, id: string, accountId: string): Promise<string | null> {
  return (await lockDraft(tx, id, accountId))?.product_id ?? null
}

/** Records which product was created from a draft, so that a retry creates no second product. */
export async function linkDraft(
  tx: Queryable,
  { id, accountId, productId }: { id: string; accountId: string; productId: string },
): Promise<void> {
  await tx`
    update drafts d set product_id = ${productId}
    where d.id = ${id} and d.deleted_at is null and ${isSeenBy(tx, accountId)}`
}

/** Deletes a draft after the main site has got its product. */
export async function forgetDraft(
  tx: Queryable,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<void> {
  await tx`
    update drafts d set deleted_at = ${now}, revision = revision + 1
    where d.id = ${id} and d.deleted_at is null and ${isSeenBy(tx, accountId)}`
}

export async function purgeDrafts(sql: Queryable, before: Date): Promise<void> {
  await sql`delete from drafts where deleted_at < ${before}`
}
