import { v7 as uuidv7 } from 'uuid'
import type { HostedFactor, HostedSession, HostedUser } from '@pegasus/contracts/auth/hosted-auth'
import type { AccountRow, IdentityRow } from '../accounts/accounts.queries.ts'
import type { FactorRow } from '../second-factor/factors.queries.ts'
import type { IssuedSession } from '../sessions/sessions.service.ts'

/**
 * Returns an object with one field, or an empty object if the value is null. The hosted protocol omits fields without a
 * value, while our own API sends null.
 */
const ifSet = <K extends string>(name: K, value: string | null): { [P in K]?: string } =>
  value === null ? {} : ({ [name]: value } as { [P in K]?: string })

function presentIdentity(row: IdentityRow): HostedUser['identities'][number] {
  const { email } = row.identity_data
  return {
    identity_id: row.id,
    id: row.provider_subject,
    user_id: row.account_id,
    identity_data: row.identity_data,
    provider: row.provider,
    ...ifSet('last_sign_in_at', row.last_sign_in_at),
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...ifSet('email', typeof email === 'string' ? email : null),
  }
}

export const presentFactor = (row: FactorRow): HostedFactor => ({
  id: row.id,
  ...ifSet('friendly_name', row.friendly_name || null),
  factor_type: row.factor_type,
  status: row.status,
  phone: row.phone ?? '',
  last_challenged_at: row.last_challenged_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** The end of a ban without a time limit. Only a person can lift such a ban. */
const NO_END = '9999-12-31T23:59:59Z'

/** The data of an account that the hosted protocol returns and that is stored in other tables. */
export interface AccountParts {
  identities: readonly IdentityRow[]
  factors: readonly FactorRow[]
}

const earlierOf = (one: string | null, other: string | null): string | null =>
  one !== null && other !== null && new Date(other) < new Date(one) ? other : (one ?? other)

export function presentHostedUser(account: AccountRow, { identities, factors }: AccountParts): HostedUser {
  const email = account.has_email ? account.email : (account.sso_email ?? '')
  const emailConfirmedAt = email === '' ? null : account.email_confirmed_at
  return {
    id: account.id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: account.phone ?? '',
    ...ifSet('email_confirmed_at', emailConfirmedAt),
    ...ifSet('phone_confirmed_at', account.phone_confirmed_at),
    ...ifSet('confirmed_at', earlierOf(emailConfirmedAt, account.phone_confirmed_at)),
    ...ifSet('confirmation_sent_at', account.confirmation_sent_at),
    ...ifSet('recovery_sent_at', account.recovery_sent_at),
    ...ifSet('invited_at', account.invited_at),
    ...ifSet('email_change_sent_at', account.email_change_sent_at),
    ...ifSet('new_email', account.new_email),
    ...ifSet('phone_change_sent_at', account.phone_change_sent_at),
    ...ifSet('new_phone', account.new_phone),
    ...ifSet('last_sign_in_at', account.last_sign_in_at),
    ...ifSet('banned_until', account.is_active ? null : (account.banned_until ?? NO_END)),
    app_metadata: account.app_metadata,
    user_metadata: account.user_metadata,
    ...(factors.length > 0 && { factors: factors.map(presentFactor) }),
    identities: identities.map(presentIdentity),
    created_at: account.created_at,
    updated_at: account.updated_at,
    is_anonymous: account.is_anonymous,
  }
}

export const presentHostedSession = (session: IssuedSession, parts: AccountParts): HostedSession => ({
  access_token: session.accessToken,
  token_type: 'bearer',
  expires_in: session.expiresIn,
  expires_at: session.expiresAt,
  refresh_token: session.refreshToken,
  ...(session.provider && { provider_token: session.provider.accessToken }),
  ...(session.provider?.refreshToken && { provider_refresh_token: session.provider.refreshToken }),
  user: presentHostedUser(session.account, parts),
})

/**
 * Returns the response to a sign-up with an address or number that already has an account. It looks like the response
 * for a new account, so that it reveals nothing.
 */
export function presentNobody(
  { email, phone, data }: { email: string; phone: string; data: Record<string, unknown> },
  now: Date,
): HostedUser {
  const at = now.toISOString()
  const provider = phone === '' ? 'email' : 'phone'
  return {
    id: uuidv7(),
    aud: 'authenticated',
    role: '',
    email,
    phone,
    confirmation_sent_at: at,
    app_metadata: { provider, providers: [provider] },
    user_metadata: data,
    identities: [],
    created_at: at,
    updated_at: at,
    is_anonymous: false,
  }
}
