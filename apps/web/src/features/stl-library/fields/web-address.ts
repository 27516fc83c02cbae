/** An address fit for a link, and how to write it; null for what is no web address (`javascript:` and the like). */
export function webAddress(text: string): { href: string; text: string } | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  return { href: url.href, text: `${url.host}${url.pathname === '/' ? '' : url.pathname}${url.search}` }
}
