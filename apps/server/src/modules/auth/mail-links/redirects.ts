import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'

/**
 * Decides to which addresses links and sign-ins may redirect: addresses at our own origin, and those that the
 * configuration allows. All others are refused, because the fragment of the address contains tokens. Headers of the
 * request play no role.
 */
export interface Redirects {
  /** The address to use if a request has no redirect address. */
  readonly home: string
  /** Returns the requested address in normalized form, or null if it is not allowed. */
  allow(redirectTo: string | undefined): string | null
  linkTo(token: { token: string; type: MailTokenType }, redirectTo: string | null): string
  /** Adds fields to the fragment of the page's address, to its query, or to both. */
  withFields(
    redirectTo: string | null,
    fields: Readonly<Record<string, string>>,
    place: 'fragment' | 'query' | 'both',
  ): string
}

/** Schemes of addresses whose content a browser would run or show. */
const CONTENT_SCHEMES: ReadonlySet<string> = new Set(['javascript:', 'data:', 'blob:', 'vbscript:', 'file:'])

/**
 * Converts a pattern to a regular expression. `*` matches text without a dot or slash, `?` matches one
 * character other than these, and `**` matches any text.
 */
function patternOf(glob: string): RegExp {
  const source = glob.replace(/\*\*|[^]/gu, (part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^./]*'
    return part === '?' ? '[^./]' : part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  })
  return new RegExp(`^${source}$`, 'u')
}

/** Creates the redirects of an installation. `allowed` contains patterns for additional addresses. */
export function createRedirects(publicUrl: string, allowed: readonly string[] = []): Redirects {
  const home = new URL(`${publicUrl}/`)
  const patterns = allowed.map(patternOf)
  const isListed = (url: URL): boolean => {
    const [address = ''] = url.href.split('#', 1)
    return !CONTENT_SCHEMES.has(url.protocol) && patterns.some((pattern) => pattern.test(address))
  }

  return {
    home: home.href,

    allow(redirectTo) {
      if (!redirectTo || !URL.canParse(redirectTo, home.href)) return null
      const url = new URL(redirectTo, home)
      // A comparison of origins alone would accept `blob:https://ops.example.com/…`.
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
