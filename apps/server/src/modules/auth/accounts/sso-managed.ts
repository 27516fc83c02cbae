import { AppError } from '../../../platform/errors/app-error.ts'
import type { AccountRow } from './accounts.queries.ts'

/**
 * Throws SSO_MANAGED for an account that a SAML provider manages. A password, another address or a second way to sign in
 * would let people in whom the provider does not know anymore.
 */
export function assertNotSsoManaged({
  sso_provider_id: providerId,
}: Pick<AccountRow, 'sso_provider_id'>): void {
  if (providerId !== null) throw new AppError('SSO_MANAGED')
}
