import type { Queryable } from '../../platform/database/database.ts'

export interface Ends {
  now: Date
  sessionsMadeUntil: Date
  sessionsRefreshedUntil: Date
  sessionsEndedUntil: Date
  refreshTokensReplacedUntil: Date
  attemptsUntil: Date
  flowsUntil: Date
  /** For authorization codes that nobody exchanged in time. */
  codesIssuedUntil: Date
  oauthStatesUntil: Date
  /** For signed messages and answered challenges that were used. */
  messagesExpiredUntil: Date
  mailRequestsUntil: Date
  challengesExpiredUntil: Date
  /** For factors that were never verified. */
  factorsMadeUntil: Date
  refusalsUntil: Date
  addressesKnownUntil: Date
}

/**
 * Deletes ended rows. Skips rows that a request has locked, so that nobody waits for the cleanup. The next run deletes
 * them.
 */
export async function deleteEnded(sql: Queryable, ends: Ends): Promise<void> {
  await sql`
    delete from sessions where id in (
      select id from sessions
      where created_at <= ${ends.sessionsMadeUntil} or refreshed_at <= ${ends.sessionsRefreshedUntil}
         or ends_at <= ${ends.sessionsEndedUntil} for update skip locked)`
  // A client that sends a deleted counter is treated like a client that reuses a token too late: its session ends.
  await sql`
    delete from refresh_tokens where (session_id, counter) in (
      select session_id, counter from refresh_tokens
      where replaced_at <= ${ends.refreshTokensReplacedUntil} for update skip locked)`
  await sql`
    delete from sign_in_failures where id in (
      select id from sign_in_failures where at <= ${ends.attemptsUntil} for update skip locked)`
  await sql`
    delete from one_time_tokens where id in (
      select id from one_time_tokens where expires_at <= ${ends.now} for update skip locked)`
  await sql`
    delete from flow_states where id in (
      select id from flow_states where created_at < ${ends.flowsUntil} for update skip locked)`
  // Only the client that exchanges the code needs the tokens of the provider, and the identity to link.
  await sql`
    update flow_states set provider_tokens_sealed = null, link_sealed = null where id in (
      select id from flow_states
      where (provider_tokens_sealed is not null or link_sealed is not null)
        and code_issued_at <= ${ends.codesIssuedUntil} for update skip locked)`
  await sql`
    delete from used_sign_in_messages where message_hash in (
      select message_hash from used_sign_in_messages where expires_at <= ${ends.messagesExpiredUntil} for update skip locked)`
  await sql`
    delete from oauth_states where state_hash in (
      select state_hash from oauth_states where created_at <= ${ends.oauthStatesUntil} for update skip locked)`
  // A change of email cannot be confirmed after its link has expired.
  await sql`
    update accounts set new_email = null where id in (
      select id from accounts a
      where new_email is not null and not exists (
        select 1 from one_time_tokens t where t.account_id = a.id and t.type = 'email_change')
      for update skip locked)`
  await sql`
    delete from access_refusals where (account_id, endpoint) in (
      select account_id, endpoint from access_refusals where at <= ${ends.refusalsUntil} for update skip locked)`
  await sql`
    delete from challenges where id in (
      select id from challenges where expires_at <= ${ends.challengesExpiredUntil} for update skip locked)`
  await sql`
    delete from factors where id in (
      select id from factors
      where status = 'unverified' and created_at <= ${ends.factorsMadeUntil} for update skip locked)`
  await sql`
    delete from known_addresses where (account_id, address) in (
      select account_id, address from known_addresses where at <= ${ends.addressesKnownUntil} for update skip locked)`
  await sql`
    delete from mail_requests where (address_key, kind) in (
      select address_key, kind from mail_requests where at <= ${ends.mailRequestsUntil} for update skip locked)`
}
