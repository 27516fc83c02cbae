import type { Queryable } from '../../platform/database/database.ts'
import { deleteUnlocked } from '../../platform/database/delete-unlocked.ts'
import { isOver } from './mail-links/one-time-tokens.ts'

export interface Ends {
  now: Date
  sessionsMadeUntil: Date
  sessionsRefreshedUntil: Date
  sessionsEndedUntil: Date
  refreshTokensReplacedUntil: Date
  attemptsUntil: Date
  flowsUntil: Date
  /**
   * The data of authorization codes that were issued until this time is deleted, because nobody exchanged these codes
   * in time.
   */
  codesIssuedUntil: Date
  oauthStatesUntil: Date
  samlStatesUntil: Date
  /** Used signed messages and answered challenges that expired until this time are deleted. */
  messagesExpiredUntil: Date
  mailRequestsUntil: Date
  challengesExpiredUntil: Date
  /** Factors that were enrolled until this time and never verified are deleted. */
  factorsMadeUntil: Date
  refusalsUntil: Date
  addressesKnownUntil: Date
}

/** Deletes rows that are no longer needed. Skips rows that a request has locked; the next run deletes them. */
export async function deleteEnded(sql: Queryable, ends: Ends): Promise<void> {
  await deleteUnlocked(
    sql,
    'sessions',
    sql`id`,
    sql`created_at <= ${ends.sessionsMadeUntil} or refreshed_at <= ${ends.sessionsRefreshedUntil} or ends_at <= ${ends.sessionsEndedUntil}`,
  )
  // If a client later sends a refresh token whose counter was deleted, its session ends, as with a token that is reused
  // too late.
  await deleteUnlocked(
    sql,
    'refresh_tokens',
    sql`session_id, counter`,
    sql`replaced_at <= ${ends.refreshTokensReplacedUntil}`,
  )
  await deleteUnlocked(sql, 'sign_in_failures', sql`id`, sql`at <= ${ends.attemptsUntil}`)
  await deleteUnlocked(sql, 'one_time_tokens', sql`id`, isOver(sql, ends.now))
  await deleteUnlocked(sql, 'flow_states', sql`id`, sql`created_at < ${ends.flowsUntil}`)
  // The provider's tokens and the identity to link are needed only until the code is exchanged.
  await sql`
    update flow_states set provider_tokens_sealed = null, link_sealed = null where id in (
      select id from flow_states
      where (provider_tokens_sealed is not null or link_sealed is not null)
        and code_issued_at <= ${ends.codesIssuedUntil} for update skip locked)`
  await deleteUnlocked(
    sql,
    'used_sign_in_messages',
    sql`message_hash`,
    sql`expires_at <= ${ends.messagesExpiredUntil}`,
  )
  await deleteUnlocked(sql, 'oauth_states', sql`state_hash`, sql`created_at <= ${ends.oauthStatesUntil}`)
  await deleteUnlocked(sql, 'saml_states', sql`state_hash`, sql`created_at <= ${ends.samlStatesUntil}`)
  // A change of email can no longer be confirmed after its link has expired.
  await sql`
    update accounts set new_email = null where id in (
      select id from accounts a
      where new_email is not null and not exists (
        select 1 from one_time_tokens t where t.account_id = a.id and t.type = 'email_change')
      for update skip locked)`
  await sql`
    update accounts set new_phone = null where id in (
      select id from accounts a
      where new_phone is not null and not exists (
        select 1 from one_time_tokens t where t.account_id = a.id and t.type = 'phone_change')
      for update skip locked)`
  await deleteUnlocked(sql, 'access_refusals', sql`account_id, endpoint`, sql`at <= ${ends.refusalsUntil}`)
  await deleteUnlocked(sql, 'challenges', sql`id`, sql`expires_at <= ${ends.challengesExpiredUntil}`)
  await deleteUnlocked(
    sql,
    'factors',
    sql`id`,
    sql`status = 'unverified' and created_at <= ${ends.factorsMadeUntil}`,
  )
  await deleteUnlocked(
    sql,
    'known_addresses',
    sql`account_id, address`,
    sql`at <= ${ends.addressesKnownUntil}`,
  )
  await deleteUnlocked(sql, 'mail_requests', sql`address_key, kind`, sql`at <= ${ends.mailRequestsUntil}`)
}
