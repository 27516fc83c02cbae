import type { Queryable } from '../../../platform/database/database.ts'
import { deletePasskeys } from '../webauthn/credentials.queries.ts'

/**
 * Deletes the sign-in methods of an account, and its factors. The email identity stays, but without a password. The
 * options keep the password, the factors or the phone number. The caller must first check whether the account has
 * verified factors.
 */
export async function deleteSignInMethods(
  tx: Queryable,
  accountId: string,
  { keepsPassword = false, keepsFactors = false, keepsPhone = false } = {},
): Promise<void> {
  if (!keepsPassword)
    await tx`
      update accounts set password_hash = null, must_change_password = false where id = ${accountId}`
  await tx`update accounts set new_email = null, new_phone = null where id = ${accountId}`
  if (!keepsPhone)
    await tx`
      update accounts set phone = null, phone_confirmed_at = null, phone_proved_at = null where id = ${accountId}`
  await tx`delete from one_time_tokens where account_id = ${accountId}`
  const kept = keepsPhone ? ['email', 'phone'] : ['email']
  await tx`delete from identities where account_id = ${accountId} and provider <> all (${kept}::text[])`
  // Deleting the factors also deletes their credentials (`on delete cascade`).
  if (!keepsFactors) await tx`delete from factors where account_id = ${accountId}`
  await deletePasskeys(tx, accountId)
}
