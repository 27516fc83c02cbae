/**
 * Returns whether this page can ask for passkeys and security keys of the site `rpId`. Browsers allow this only over
 * HTTPS, and only if the page is on that domain or on a subdomain of it.
 */
export const canUseKeys = (rpId: string | null | undefined): rpId is string =>
  Boolean(rpId) &&
  isSecureContext &&
  'PublicKeyCredential' in window &&
  (location.hostname === rpId || location.hostname.endsWith(`.${rpId}`))
