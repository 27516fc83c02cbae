import type { Queryable } from '../../../platform/database/database.ts'

/**
 * Locks the stored bytes of a file until the transaction ends. Uploads of the same bytes, and their removal,
 * wait for each other.
 */
export async function lockSliceBytes(tx: Queryable, sha256: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`slice-bytes:${sha256}`}, 0))`
}

/** Returns the keys of the newest sliced files. */
export async function listNewestSliceKeys(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select object_key as key from sliced_files order by id desc limit ${limit}`
  return rows.map((row) => row.key)
}

/** Returns those of the keys that a sliced file still uses, even if the file is in the trash. */
export async function findSlicesInUse(sql: Queryable, keys: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ key: string }[]>`
    select distinct object_key as key from sliced_files where object_key = any(${[...keys]})`
  return new Set(rows.map((row) => row.key))
}
