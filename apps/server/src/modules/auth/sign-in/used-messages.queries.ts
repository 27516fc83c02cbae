import type { Queryable } from '../../../platform/database/database.ts'

/** Uses a signed message or an answered challenge up. Returns false if it was used already. */
export async function useMessage(tx: Queryable, messageHash: string, expiresAt: Date): Promise<boolean> {
  const [row] = await tx`
    insert into used_sign_in_messages (message_hash, expires_at) values (${messageHash}, ${expiresAt})
    on conflict (message_hash) do nothing returning message_hash`
  return row !== undefined
}
