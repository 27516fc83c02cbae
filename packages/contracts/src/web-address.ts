/**
 * Returns whether an address contains a user name or a password. People copy and log addresses, and programs send them
 * on, so a password in one does not stay secret.
 */
export const hasUserInfo = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && (url.username !== '' || url.password !== '' || /^\w+:\/\/[^/?#]*@/.test(text))
}

/** Returns the message for an address that is refused: `otherwise`, unless it contains a user name or a password. */
export const addressFault = (address: unknown, otherwise: string): string =>
  hasUserInfo(String(address)) ? 'The address must not contain a user name or a password' : otherwise

/** Returns whether a text is an http or https address that contains neither a user name nor a password. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text) && !hasUserInfo(text)

/** Returns whether a text is a web address to which a path can be appended: without spaces, query or fragment. */
export const isBaseAddress = (text: string): boolean => /^[^?#\s]+$/.test(text) && isWebAddress(text)
