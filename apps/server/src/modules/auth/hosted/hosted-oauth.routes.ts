import {
  CALLBACK_FORM_MAX_BYTES,
  beginningQuery,
  callbackForm,
  hostedAuthorize,
  hostedCallback,
  hostedCallbackForm,
  hostedLinkIdentity,
  hostedUnlinkIdentity,
} from '@pegasus/contracts/auth/hosted-oauth'
import * as z from 'zod/mini'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { deviceOf } from '../audit/device.ts'
import { type CodeChallenge, readCodeChallenge } from '../mail-links/flow-states.ts'
import type { Redirects } from '../mail-links/redirects.ts'
import type { IdentityLinks } from '../identities/identity-links.service.ts'
import {
  type OAuthBeginning,
  type OAuthOutcome,
  type OAuthReturn,
  type OAuthSignIn,
} from '../oauth/oauth-sign-in.service.ts'
import { browserOf, createBrowserCookie, leadTo, locationOf, readForm } from './returning-browser.ts'
import { providerErrorFields } from './redirect-fields.ts'

type ReturnedFields = Partial<
  Record<'state' | 'code' | 'error' | 'error_description' | 'iss', string | undefined>
>

const returnedIn = (fields: ReturnedFields): OAuthReturn => ({
  state: fields.state ?? '',
  code: fields.code || null,
  error: fields.error || null,
  errorDescription: fields.error_description || null,
  issuer: fields.iss || null,
})

const scopesIn = (text = ''): string[] => text.split(/[\s,]+/).filter((scope) => scope !== '')

/** Query parameters that this server reads itself. It passes all other parameters on to the provider. */
const OWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(beginningQuery.shape))

const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'

/** Adds the endpoints for sign-in through providers, in the protocol of the hosted auth service. */
export function addHostedOAuthRoutes(
  endpoints: Endpoints,
  deps: { oauth: OAuthSignIn; identityLinks: IdentityLinks; redirects: Redirects; publicUrl: string },
): void {
  const { oauth, identityLinks, redirects, publicUrl } = deps
  const rememberBrowser = createBrowserCookie(publicUrl)

  const beginningIn = (query: z.output<typeof beginningQuery>): OAuthBeginning => {
    const { provider = '', redirect_to: redirectTo, scopes, code_challenge, code_challenge_method } = query
    return {
      provider,
      redirectTo: redirects.allow(redirectTo),
      challenge: readCodeChallenge({ code_challenge, code_challenge_method }),
      scopes: scopesIn(scopes),
      passed: Object.fromEntries(
        Object.entries(query)
          .filter(isText)
          .filter(([name]) => !OWN_FIELDS.has(name)),
      ),
    }
  }

  const finish = async (returned: OAuthReturn, request: FastifyRequest, reply: FastifyReply) => {
    let outcome: OAuthOutcome
    try {
      outcome = await oauth.finish(returned, browserOf(request), deviceOf(request))
    } catch (error) {
      // It is unknown which client is waiting for this browser, so the error goes to the start page.
      return leadTo(reply, redirects.withFields(null, providerErrorFields(error), 'both'), 303)
    }
    return leadTo(reply, locationOf(redirects, outcome), 302)
  }

  endpoints.add(hostedAuthorize, async ({ query, request, reply }) => {
    const url = await oauth.begin(beginningIn(query), { browser: rememberBrowser(request, reply) })
    return leadTo(reply, url, 302)
  })

  /**
   * Returns whether to bind the linking of an identity to the browser with a cookie. This is done if one of our own
   * pages begins the linking. Over plain HTTP, browsers do not tell which page sends the request. There, the cookie is
   * set whenever the request has no code challenge. Programs and pages at other origins use PKCE instead.
   */
  const keepsCookie = ({ headers }: FastifyRequest, challenge: CodeChallenge | null): boolean => {
    const site = headers['sec-fetch-site']
    return site === 'same-origin' || (site === undefined && challenge === null)
  }

  endpoints.add(hostedLinkIdentity, async ({ user, query, request, reply }) => {
    const beginning = beginningIn(query)
    const browser = keepsCookie(request, beginning.challenge) ? rememberBrowser(request, reply) : null
    const url = await oauth.beginLink(beginning, user, { browser })
    return query.skip_http_redirect === 'true' ? { url } : leadTo(reply, url, 302)
  })

  endpoints.add(hostedUnlinkIdentity, async ({ user, params, request }) => {
    identityLinks.assertAllowed(user)
    if (!z.uuid().safeParse(params.id).success)
      throw new AppError('NOT_FOUND', { text: 'identity_id must be an UUID' })
    await identityLinks.unlink(user, params.id, deviceOf(request))
    return {}
  })

  endpoints.add(hostedCallback, ({ query, request, reply }) => finish(returnedIn(query), request, reply))

  endpoints.add(hostedCallbackForm, async ({ request, reply }) => {
    const form = await readForm(request, CALLBACK_FORM_MAX_BYTES)
    const parsed = callbackForm.safeParse(form)
    if (!parsed.success) throw new AppError('INVALID_INPUT')
    if (!parsed.data.state) throw new AppError('OAUTH_STATE_MISSING')
    return finish(returnedIn(parsed.data), request, reply)
  })
}
