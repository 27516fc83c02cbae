import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'

/**
 * Addresses that a link or a sign-in may lead to: those of our own origin, and those that the configuration allows,
 * because the fragment contains tokens. Nothing is read from request headers.
 */
export interface Redirects {
  /** The address for a request that names none. */
  readonly home: string
  /** The requested address in its normal form; null if it is not allowed. */
  allow(wish: string | undefined): string | null
  /** The link in a mail. */
  linkTo(token: { token: string; type: MailTokenType }, redirectTo: string | null): string
  /** The page's address with fields in the fragment, or in the query as well. */
  withFields(
    redirectTo: string | null,
    fields: Readonly<Record<string, string>>,
    place: 'fragment' | 'query' | 'both',
  ): string
}

/** A browser runs or shows what such an address contains. */
const CONTENT_SCHEMES: ReadonlySet<string> = new Set(['javascript:', 'data:', 'blob:', 'vbscript:', 'file:'])

/** `*` stands for text without a dot or slash, `**` for any text, `?` for one character. */
function patternOf(glob: string): RegExp {
  const source = glob.replace(/\*\*|[^]/gu, (part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^./]*'
    return part === '?' ? '[^./]' : part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  })
  return new RegExp(`^${source}$`, 'u')
}

/** `allowed`: further addresses, as patterns. */
export function createRedirects(publicUrl: string, allowed: readonly string[] = []): Redirects {
  const home = new URL(`${publicUrl}/`)
  const patterns = allowed.map(patternOf)
  const isListed = (url: URL): boolean => {
    const [address = ''] = url.href.split('#', 1)
    return !CONTENT_SCHEMES.has(url.protocol) && patterns.some((pattern) => pattern.test(address))
  }

  return {
    home: home.href,

    allow(wish) {
      if (!wish || !URL.canParse(wish, home.href)) return null
      const url = new URL(wish, home)
      // A check of the origin alone would accept `blob:https://ops.example.com/…`.
      const isOurs = url.origin === home.origin && url.protocol === home.protocol
      const namesNobody = url.username === '' && url.password === ''
      return namesNobody && (isOurs || isListed(url)) ? url.href : null
    },

    linkTo({ token, type }, redirectTo) {
      const fields = new URLSearchParams({ token, type, ...(redirectTo && { redirect_to: redirectTo }) })
      return `${publicUrl}/auth/v1/verify?${fields}`
    },

    withFields(redirectTo, fields, place) {
      const url = new URL(redirectTo ?? home)
      if (place !== 'fragment')
        for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
      url.hash = place === 'query' ? '' : new URLSearchParams(fields).toString()
      return url.href
    },
  }
}
