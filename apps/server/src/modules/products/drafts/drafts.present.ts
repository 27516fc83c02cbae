import type { Draft } from '@pegasus/contracts/products/drafts'
import type { DraftRow } from './drafts.queries.ts'

/** Presents a draft for the account that requests it. */
export const presentDraft = (row: DraftRow, accountId: string): Draft => ({
  ...row,
  owner: { id: row.account_id, name: row.owner_name },
  is_mine: row.account_id === accountId,
})
