import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { writeAudit } from '../../audit/index.ts'
import type { AccountSummaryRow } from '../../users/index.ts'
import { type CredentialRow, deletePasskeys } from '../webauthn/credentials.queries.ts'
import { factorEntity } from '../second-factor/factor-audit.ts'

/** Records in the audit that somebody removed a passkey from another person's account. */
export async function auditRemovedPasskey(
  tx: TransactionSql,
  person: AccountSummaryRow,
  { id, friendly_name: name }: CredentialRow,
  audit: AuditContext,
): Promise<void> {
  const before = { friendly_name: name, account_id: person.id }
  const event = { ...factorEntity(id, person), entity: 'passkey', before } as const
  await writeAudit(tx, { action: 'passkey.removed', ...event }, audit)
}

/**
 * Removes the passkeys of another person's account and records each removal in the audit. Returns how many
 * there were.
 */
export async function removePasskeys(
  tx: TransactionSql,
  person: AccountSummaryRow,
  audit: AuditContext,
): Promise<number> {
  const passkeys = await deletePasskeys(tx, person.id)
  for (const passkey of passkeys) await auditRemovedPasskey(tx, person, passkey, audit)
  return passkeys.length
}
