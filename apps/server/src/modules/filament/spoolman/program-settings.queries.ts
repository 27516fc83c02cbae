import type { Queryable } from '../../../platform/database/database.ts'

/** Returns the settings that programs have stored, as JSON text, by key. */
export async function listProgramSettings(sql: Queryable): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ key: string; value: string }[]>`select key, value from program_settings`
  return new Map(rows.map(({ key, value }) => [key, value]))
}

export async function saveProgramSetting(
  tx: Queryable,
  { key, value, now }: { key: string; value: string; now: Date },
): Promise<void> {
  await tx`
    insert into program_settings (key, value, updated_at) values (${key}, ${value}, ${now})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`
}

export async function deleteProgramSetting(tx: Queryable, key: string): Promise<void> {
  await tx`delete from program_settings where key = ${key}`
}
