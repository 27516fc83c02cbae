import { type DraftContent, MAX_DRAFTS_PER_ACCOUNT } from '@pegasus/contracts/products/drafts'
import { isAdmin } from '@pegasus/contracts/roles'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type HttpResult, writeOnce } from '../../../platform/http/idempotency.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { publish } from '../../events/index.ts'
import { presentDraft } from './drafts.present.ts'
import {
  countDrafts,
  type DraftRow,
  findDraft,
  insertDraft,
  listDrafts,
  lockDraft,
  purgeDrafts,
  setDraftDeleted,
  updateDraft,
} from './drafts.queries.ts'

const TITLE_MAX_LENGTH = 200

export interface Drafter {
  accountId: string
  role: string
}

export interface DraftChange {
  content?: DraftContent | undefined
  step?: number | undefined
  is_shared?: boolean | undefined
}

/** Product drafts of the caller, and drafts that other people share. */
export interface Drafts {
  list(accountId: string): Promise<DraftRow[]>
  /** Returns a draft. Throws DRAFT_NOT_FOUND. */
  get(id: string, accountId: string): Promise<DraftRow>
  /** Adds a draft. Throws TOO_MANY_DRAFTS. */
  create(
    draft: Required<{ [Name in keyof DraftChange]: NonNullable<DraftChange[Name]> }>,
    by: { accountId: string; idempotencyKey: string | null },
  ): Promise<HttpResult<ReturnType<typeof presentDraft>>>
  /**
   * Changes a draft. Throws DRAFT_NOT_FOUND, PRECONDITION_FAILED, or FORBIDDEN if the edit would start or
   * stop sharing another person's draft.
   */
  update(id: string, change: DraftChange, revision: number | null, by: Drafter): Promise<DraftRow>
  /**
   * Moves a draft to the trash. Throws DRAFT_NOT_FOUND, PRECONDITION_FAILED, or FORBIDDEN for another person's draft.
   */
  remove(id: string, revision: number | null, by: Drafter): Promise<void>
  /** Restores a draft from the trash. Throws DRAFT_NOT_FOUND. */
  restore(id: string, by: Drafter): Promise<DraftRow>
  /** Permanently removes drafts that have been in the trash for 30 days. */
  purge(): Promise<void>
}

const titleOf = (content: DraftContent): string =>
  (content.name?.trim() || 'Untitled product').slice(0, TITLE_MAX_LENGTH).toWellFormed()

export function createDrafts({ database, clock }: { database: Database; clock: Clock }): Drafts {
  const get = async (sql: Queryable, id: string, accountId: string): Promise<DraftRow> => {
    const row = await findDraft(sql, id, accountId)
    if (!row || row.deleted_at !== null) throw new AppError('DRAFT_NOT_FOUND')
    return row
  }

  const lockLive = async (tx: Queryable, id: string, revision: number | null, { accountId }: Drafter) => {
    const row = await lockDraft(tx, id, accountId)
    if (!row || row.deleted_at !== null) throw new AppError('DRAFT_NOT_FOUND')
    assertRevision(revision, row, () => presentDraft(row, accountId))
    return row
  }

  return {
    list: (accountId) => listDrafts(database.sql, accountId),
    get: (id, accountId) => get(database.sql, id, accountId),

    create: (draft, by) =>
      writeOnce({ database, clock }, by, ['draft', draft], async (tx, { accountId }) => {
        if ((await countDrafts(tx, accountId)) >= MAX_DRAFTS_PER_ACCOUNT)
          throw new AppError('TOO_MANY_DRAFTS')
        const id = uuidv7()
        const { content, step, is_shared: isShared } = draft
        await insertDraft(tx, {
          id,
          accountId,
          title: titleOf(content),
          content,
          step,
          isShared,
          now: clock.now(),
        })
        await publish(tx, { type: 'created', entity: 'draft', id })
        return { status: 201, body: presentDraft(await get(tx, id, accountId), accountId) }
      }),

    update: (id, change, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, id, revision, by)
        const { content = row.content, step = row.step, is_shared: isShared = row.is_shared } = change
        if (isShared !== row.is_shared && row.account_id !== by.accountId)
          throw new AppError('FORBIDDEN', { text: 'Only the owner of this draft can change who sees it.' })
        await updateDraft(tx, id, { title: titleOf(content), content, step, isShared, now: clock.now() })
        await publish(tx, { type: 'updated', entity: 'draft', id })
        return get(tx, id, by.accountId)
      }),

    remove: (id, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, id, revision, by)
        if (row.account_id !== by.accountId && !isAdmin(by.role))
          throw new AppError('FORBIDDEN', { text: 'Only its owner or an admin can delete this draft.' })
        await setDraftDeleted(tx, id, clock.now())
        await publish(tx, { type: 'deleted', entity: 'draft', id })
      }),

    restore: (id, { accountId }) =>
      database.transaction(async (tx) => {
        const row = await lockDraft(tx, id, accountId)
        if (!row) throw new AppError('DRAFT_NOT_FOUND')
        if (row.deleted_at === null) return row
        await setDraftDeleted(tx, id, null)
        await publish(tx, { type: 'created', entity: 'draft', id })
        return get(tx, id, accountId)
      }),

    purge: () => purgeDrafts(database.sql, trashCutoff(clock.now())),
  }
}
