import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'

/**
 * Where people are led from a mail. Everything is built from PUBLIC_URL, nothing from the request's headers, and
 * no address but our own origin is ever led to: tokens stand in its fragment.
 */
export interface Redirects {
  /** Where to go when nothing was wished for. */
  readonly home: string
  /** The wished-for address in its normal form, or null unless it is of our own origin. */
  allow(wish: string | undefined): string | null
  /** The link of a mail. */
  linkTo(token: { token: string; type: MailTokenType }, redirectTo: string | null): string
  /** Where to go with fields in the fragment, or in the query as well. */
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
      // The origin alone would let `blob:https://ops.example.com/…` through.
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
