const PREFIX = 'sso:'

/** The method in the `amr` claim (authentication methods) for a sign-in through a SAML provider. */
export const SAML_METHOD = 'sso/saml'

/** Returns the name by which identities refer to a SAML provider. */
export const ssoProviderName = (providerId: string): string => `${PREFIX}${providerId}`

/**
 * Returns the id of the SAML provider that an identity's provider name refers to, or undefined for other
 * providers.
 */
export const ssoProviderIdOf = (provider: string | null): string | undefined =>
  provider?.startsWith(PREFIX) ? provider.slice(PREFIX.length) : undefined
