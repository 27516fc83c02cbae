import type { Queryable } from '../../../platform/database/database.ts'

export async function insertRecoveryCodes(
  tx: Queryable,
  factorId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx`
    insert into recovery_codes (factor_id, code_hash)
    select ${factorId}, hash from unnest(${[...hashes]}::text[]) as hash`
}

export async function deleteRecoveryCodes(tx: Queryable, factorId: string): Promise<void> {
  await tx`delete from recovery_codes where factor_id = ${factorId}`
}

/** Marks a recovery code as used. Returns false if the code is unknown or already used. */
export async function useRecoveryCode(
  tx: Queryable,
  { factorId, hash, now }: { factorId: string; hash: string; now: Date },
): Promise<boolean> {
  const rows = await tx`
    update recovery_codes set used_at = ${now}
    where factor_id = ${factorId} and code_hash = ${hash} and used_at is null
    returning code_hash`
  return rows.length > 0
}

export async function countRecoveryCodes(
  sql: Queryable,
  factorId: string,
): Promise<{ total: number; remaining: number }> {
  const [counts] = await sql<[{ total: number; remaining: number }]>`
    select count(*)::int as total, count(*) filter (where used_at is null)::int as remaining
    from recovery_codes where factor_id = ${factorId}`
  return counts
}
