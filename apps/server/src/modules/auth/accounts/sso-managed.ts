import { AppError } from '../../../platform/errors/app-error.ts'
import type { AccountRow } from './accounts.queries.ts'

/**
 * Throws SSO_MANAGED if a SAML provider manages the account. Such an account gets no password, no other address and no
 * second way to sign in. Otherwise people who have left the company could still sign in.
 */
export function assertNotSsoManaged({
  sso_provider_id: providerId,
}: Pick<AccountRow, 'sso_provider_id'>): void {
  if (providerId !== null) throw new AppError('SSO_MANAGED')
}
