/**
 * Whether this page may ask passkeys and security keys of that site. Browsers know sites by domains, and over an encrypted connection
 * only.
 */
export const canUseKeys = (rpId: string | null | undefined): rpId is string =>
  Boolean(rpId) &&
  isSecureContext &&
  'PublicKeyCredential' in window &&
  (location.hostname === rpId || location.hostname.endsWith(`.${rpId}`))
