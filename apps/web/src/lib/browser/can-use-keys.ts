/**
 * Returns whether this page can ask for passkeys and security keys of the site `rpId`. Browsers identify sites by their
 * domain, and only over an encrypted connection.
 */
export const canUseKeys = (rpId: string | null | undefined): rpId is string =>
  Boolean(rpId) &&
  isSecureContext &&
  'PublicKeyCredential' in window &&
  (location.hostname === rpId || location.hostname.endsWith(`.${rpId}`))
