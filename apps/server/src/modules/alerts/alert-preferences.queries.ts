import type { StoredChoices } from './alert-choices.ts'
import type { Queryable } from '../../platform/database/database.ts'

export interface PreferencesRow {
  /** The stored choices of a person. Null if the person has never made a choice. */
  choices: StoredChoices | null
  revision: number
}

export async function findPreferences(sql: Queryable, accountId: string): Promise<PreferencesRow> {
  const [row] = await sql<PreferencesRow[]>`
    select choices, revision from alert_preferences where account_id = ${accountId}`
  return row ?? { choices: null, revision: 0 }
}

/** Locks the preferences of an account until the transaction ends, even if their row does not exist yet. */
export async function lockPreferences(tx: Queryable, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`alert_preferences ${accountId}`}, 0))`
}

/** Saves preferences and returns their new revision. */
export async function savePreferences(
  tx: Queryable,
  { accountId, choices, now }: { accountId: string; choices: StoredChoices; now: Date },
): Promise<number> {
  const [row] = await tx<[{ revision: number }]>`
    insert into alert_preferences (account_id, choices, updated_at)
    values (${accountId}, ${tx.json(choices)}, ${now})
    on conflict (account_id) do update
    set choices = excluded.choices, updated_at = excluded.updated_at, revision = alert_preferences.revision + 1
    returning revision`
  return row.revision
}

/** Lists all accounts that may sign in, with the alerts that they chose. */
export const listAccountsToAlert = (
  sql: Queryable,
): Promise<{ id: string; role: string; choices: StoredChoices | null }[]> =>
  sql`
    select p.id, p.role, c.choices from people p left join alert_preferences c on c.account_id = p.id
    where p.is_active`
