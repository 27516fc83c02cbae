import type { Queryable } from '../../../platform/database/database.ts'

/** Marks a signed message or an answered challenge as used. Returns false if it was already used. */
export async function useMessage(tx: Queryable, messageHash: string, expiresAt: Date): Promise<boolean> {
  const [row] = await tx`
    insert into used_sign_in_messages (message_hash, expires_at) values (${messageHash}, ${expiresAt})
    on conflict (message_hash) do nothing returning message_hash`
  return row !== undefined
}

/** Returns whether a signed message or an answered challenge was already used. */
export async function isMessageUsed(tx: Queryable, messageHash: string): Promise<boolean> {
  const [row] = await tx`select from used_sign_in_messages where message_hash = ${messageHash}`
  return row !== undefined
}
