import type { Draft } from '@pegasus/contracts/products/drafts'
import type { DraftRow } from './drafts.queries.ts'

/** Converts a draft to the API format. `accountId` is the requesting account, for which `is_mine` is set. */
export const presentDraft = (row: DraftRow, accountId: string): Draft => ({
  ...row,
  owner: { id: row.account_id, name: row.owner_name },
  is_mine: row.account_id === accountId,
})
