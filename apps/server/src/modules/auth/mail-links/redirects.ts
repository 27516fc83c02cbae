import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'

/**
 * Addresses that a mail's link may lead to. All are built from PUBLIC_URL, never from request headers, and stay on
 * our own origin, because the fragment contains tokens.
 */
export interface Redirects {
  /** The address for a request that names none. */
  readonly home: string
  /** The requested address in its normal form; null if it is not on our own origin. */
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

export function createRedirects(publicUrl: string): Redirects {
  const home = new URL(`${publicUrl}/`)

  return {
    home: home.href,

    allow(wish) {
      if (!wish || !URL.canParse(wish, home.href)) return null
      const url = new URL(wish, home)
      // A check of the origin alone would accept `blob:https://ops.example.com/…`.
      const isOurs = url.origin === home.origin && url.protocol === home.protocol
      const namesNobody = url.username === '' && url.password === ''
      return isOurs && namesNobody ? url.href : null
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
