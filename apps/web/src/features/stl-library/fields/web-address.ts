/** A safe link address and its display text; null for anything but a web address (`javascript:` and similar). */
export function webAddress(text: string): { href: string; text: string } | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  return { href: url.href, text: `${url.host}${url.pathname === '/' ? '' : url.pathname}${url.search}` }
}
