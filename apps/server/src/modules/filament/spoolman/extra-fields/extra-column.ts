import type { Queryable } from '../../../../platform/database/database.ts'
import { type ExtraFieldRow, holdExtraFields } from './extra-fields.queries.ts'
import { type ExtraValues, changeExtra } from './extra-values.ts'

/**
 * Returns the column with the extra fields after a change, or no column if the change contains no extra
 * fields. The definitions of the fields cannot change until the transaction ends. Throws MALFORMED_REQUEST.
 */
export async function extraColumn(
  tx: Queryable,
  entity: ExtraFieldRow['entity'],
  known: ExtraValues,
  change: Readonly<Record<string, string | null>> | null | undefined,
): Promise<{ extra?: ExtraValues }> {
  if (!change || Object.keys(change).length === 0) return {}
  return { extra: changeExtra(await holdExtraFields(tx, entity), known, change) }
}
