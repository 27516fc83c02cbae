import { AppError } from '../../../platform/errors/app-error.ts'
import type { AccountRow } from './accounts.queries.ts'

/**
 * Throws SSO_MANAGED if a SAML provider manages the account. With a password, another address or a second way
 * to sign in, people could sign in who are no longer known to the provider.
 */
export function assertNotSsoManaged({
  sso_provider_id: providerId,
}: Pick<AccountRow, 'sso_provider_id'>): void {
  if (providerId !== null) throw new AppError('SSO_MANAGED')
}
