const PREFIX = 'sso:'

/** The `amr` method of a sign-in through a SAML provider. */
export const SAML_METHOD = 'sso/saml'

/** Returns the name that a SAML provider has in identities. */
export const ssoProviderName = (providerId: string): string => `${PREFIX}${providerId}`

/** Returns the id of the SAML provider in the name of an identity's provider; undefined for other providers. */
export const ssoProviderIdOf = (provider: string | null): string | undefined =>
  provider?.startsWith(PREFIX) ? provider.slice(PREFIX.length) : undefined
