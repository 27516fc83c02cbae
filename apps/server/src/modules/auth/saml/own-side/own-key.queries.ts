import type { Queryable } from '../../../../platform/database/database.ts'

export async function findSamlKey(sql: Queryable): Promise<string | null> {
  const [row] = await sql<{ private_key_sealed: string }[]>`select private_key_sealed from saml_keys`
  return row?.private_key_sealed ?? null
}

/** Stores the key, unless there already is one. */
export async function insertSamlKey(sql: Queryable, sealed: string, now: Date): Promise<void> {
  await sql`
    insert into saml_keys (private_key_sealed, created_at) values (${sealed}, ${now}) on conflict (id) do nothing`
}
