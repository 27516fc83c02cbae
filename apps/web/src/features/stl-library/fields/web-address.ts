/**
 * Returns a safe link for a web address, and the text to show; null for text that is not a web address, such
 * as `javascript:`.
 */
export function webAddress(text: string): { href: string; text: string } | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  return { href: url.href, text: `${url.host}${url.pathname === '/' ? '' : url.pathname}${url.search}` }
}
