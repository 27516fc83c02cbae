import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../../platform/database/database.ts'

/**
 * Marks an email address as confirmed, unless the account has a different address now. Call this after the person has
 * verified the address or an administrator has vouched for it.
 */
export async function confirmEmail(
  tx: Queryable,
  accountId: string,
  email: string,
  now: Date,
): Promise<void> {
  await tx`
    update accounts set email_proved_at = ${now}
    where id = ${accountId} and lower(email) = lower(${email}) and email_proved_at is null`
  const [row] = await tx`
    update accounts
    set email_confirmed_at = ${now}, revision = revision + 1, updated_at = ${now},
        user_metadata = case when user_metadata ? 'email_verified'
                        then user_metadata || '{"email_verified": true}' else user_metadata end
    where id = ${accountId} and lower(email) = lower(${email}) and email_confirmed_at is null
    returning id`
  if (!row) return
  await tx`
    update identities set identity_data = identity_data || '{"email_verified": true}', updated_at = ${now}
    where account_id = ${accountId} and provider = 'email'`
}

/** The email address of a person. `isProved` is true if the person has proved that they own it. */
export interface OwnAddress {
  email: string
  isProved: boolean
}

/**
 * Replaces the email of an account and marks it as confirmed. Throws the database's constraint error if
 * another account already has the address.
 */
export async function replaceEmail(
  tx: Queryable,
  accountId: string,
  { email, isProved }: OwnAddress,
  now: Date,
): Promise<void> {
  const fields = tx.json({ email, email_verified: true })
  // An account without an email gets its first email identity.
  const firstFields = tx.json({ sub: accountId, email, email_verified: true, phone_verified: false })
  await tx`
    insert into identities (id, account_id, provider, provider_subject, identity_data, created_at, updated_at)
    select ${uuidv7()}, id, 'email', id::text, ${firstFields}, ${now}, ${now}
    from accounts where id = ${accountId} and not has_email`
  await tx`
    update accounts
    set email = ${email}, has_email = true, new_email = null, email_confirmed_at = ${now},
        email_proved_at = ${isProved ? now : null}, revision = revision + 1, updated_at = ${now},
        user_metadata = case when user_metadata ? 'email' then user_metadata || ${fields} else user_metadata end
    where id = ${accountId}`
  await tx`
    update identities set identity_data = identity_data || ${fields}, updated_at = ${now}
    where account_id = ${accountId} and provider = 'email'`
}

export async function setNewEmail(tx: Queryable, accountId: string, email: string, now: Date): Promise<void> {
  await tx`
    update accounts
    set new_email = ${email}, email_change_sent_at = ${now}, revision = revision + 1, updated_at = ${now}
    where id = ${accountId}`
}

export async function findUserMetadata(
  tx: Queryable,
  accountId: string,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await tx<{ user_metadata: Record<string, unknown> }[]>`
    select user_metadata from accounts where id = ${accountId}`
  return row?.user_metadata
}

export async function saveUserMetadata(
  tx: Queryable,
  accountId: string,
  metadata: Record<string, unknown>,
  now: Date,
): Promise<void> {
  await tx`
    update accounts set user_metadata = ${tx.json(metadata)}, updated_at = ${now} where id = ${accountId}`
}

const SENT_COLUMN = {
  signup: 'confirmation_sent_at',
  recovery: 'recovery_sent_at',
  invite: 'invited_at',
  email_change: 'email_change_sent_at',
  // The hosted protocol has one field for sign-in emails and password resets, and one for sign-up emails and text
  // messages.
  magiclink: 'recovery_sent_at',
  sms: 'confirmation_sent_at',
  phone_change: 'phone_change_sent_at',
} as const

export async function noteMailSent(
  tx: Queryable,
  accountId: string,
  kind: keyof typeof SENT_COLUMN,
  now: Date,
): Promise<void> {
  await tx`update accounts set ${tx(SENT_COLUMN[kind])} = ${now} where id = ${accountId}`
}

export async function setEnabled(tx: Queryable, accountId: string, isEnabled: boolean): Promise<void> {
  await tx`update accounts set is_active = ${isEnabled}, banned_until = null where id = ${accountId}`
}

/**
 * Grants or withdraws the approval of an account. If `confirms` is true, also marks the email address as confirmed or,
 * for an account without an address, the phone number.
 */
export async function setApproved(
  tx: Queryable,
  accountId: string,
  { approved, confirms, now }: { approved: boolean; confirms: boolean; now: Date },
): Promise<void> {
  await tx`
    update accounts
    set approved_at = ${approved ? now : null},
        email_confirmed_at = case when ${confirms} and (has_email or phone is null)
                             then coalesce(email_confirmed_at, ${now}::timestamptz) else email_confirmed_at end,
        phone_confirmed_at = case when ${confirms} and not has_email and phone is not null
                             then coalesce(phone_confirmed_at, ${now}::timestamptz) else phone_confirmed_at end
    where id = ${accountId}`
}

/**
 * Confirms the address of an invited account after an administrator has set its password. The person can then sign in
 * with that password without opening the invitation.
 */
export async function confirmInvited(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`
    update accounts set email_confirmed_at = ${now}, email_proved_at = ${now}
    where id = ${accountId} and invited_at is not null and email_confirmed_at is null`
}

export async function bumpRevision(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`update accounts set revision = revision + 1, updated_at = ${now} where id = ${accountId}`
}

/**
 * Sets a password and ends the account's mailed links and codes, because somebody could use an old link to replace the
 * new password.
 */
export async function updatePassword(
  tx: Queryable,
  accountId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await tx`
    update accounts set password_hash = ${passwordHash}, must_change_password = false, updated_at = ${now}
    where id = ${accountId}`
  await endLinks(tx, accountId)
}

/**
 * Ends all links and codes of an account, except its sign-up link. From then on, that link neither opens a session nor
 * sets a password; it only shows that the account is ready.
 */
export async function settleSignUp(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from one_time_tokens where account_id = ${accountId} and type <> 'signup'`
  await tx`
    update one_time_tokens set password_hash = null, flow_state_id = null where account_id = ${accountId}`
}

/**
 * Ends all links and codes of an account. Also discards a change of email or phone that waits for confirmation, because
 * the new address or number could otherwise request a new link or code.
 */
export async function endLinks(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from one_time_tokens where account_id = ${accountId}`
  await tx`
    update accounts set new_email = null, new_phone = null
    where id = ${accountId} and (new_email is not null or new_phone is not null)`
}
