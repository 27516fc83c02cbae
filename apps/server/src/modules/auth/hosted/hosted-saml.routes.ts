import {
  SAML_FORM_MAX_BYTES,
  SSO_BODY_MAX_BYTES,
  type SsoBody,
  hostedSamlAcs,
  hostedSamlMetadata,
  hostedSso,
  ssoBody,
} from '@pegasus/contracts/auth/hosted-sso'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, DAY_MS, addMs } from '../../../platform/clock.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { readRawBody } from '../../../platform/http/raw-body.ts'
import { deviceOf } from '../audit/device.ts'
import { providerErrorFields } from './redirect-fields.ts'
import { browserOf, createBrowserCookie, leadTo, locationOf, readForm } from './returning-browser.ts'
import { type CodeChallenge, readCodeChallenge } from '../mail-links/flow-states.ts'
import type { Redirects } from '../mail-links/redirects.ts'
import type { ProviderChoice, SamlReturn, SamlSignIn } from '../saml/saml-sign-in.service.ts'

/** How long a downloaded copy of our metadata is valid: five years, as in the hosted service. */
const COPY_MS = 5 * 365 * DAY_MS
/** The page that the browser shows after an administrator's test sign-in. */
const TEST_PAGE = '/?tab=people&view=sso'

async function readSsoBody(request: FastifyRequest): Promise<SsoBody> {
  const text = (await readRawBody(request, SSO_BODY_MAX_BYTES)).toString()
  let body: unknown
  try {
    body = text === '' ? {} : JSON.parse(text)
  } catch (cause) {
    throw new AppError('MALFORMED_REQUEST', { cause })
  }
  const parsed = ssoBody.safeParse(body)
  if (!parsed.success) throw new AppError('INVALID_INPUT')
  return parsed.data
}

function choiceIn({ provider_id: providerId, domain }: SsoBody): ProviderChoice {
  if (providerId && domain)
    throw new AppError('REQUEST_INCOMPLETE', { text: 'Only one of provider_id or domain supported' })
  if (providerId) return { providerId }
  if (domain) return { domain }
  throw new AppError('REQUEST_INCOMPLETE', { text: 'A provider_id or domain needs to be provided' })
}

/** Adds the endpoints for sign-in through SAML providers, in the protocol of the hosted auth service. */
export function addHostedSamlRoutes(
  endpoints: Endpoints,
  deps: { saml: SamlSignIn | null; redirects: Redirects; publicUrl: string; clock: Clock },
): void {
  const { redirects, publicUrl, clock } = deps
  const enabled = (): SamlSignIn => orThrow(deps.saml, 'SAML_DISABLED')
  const rememberBrowser = createBrowserCookie(publicUrl)
  const isHttps = publicUrl.startsWith('https:')

  /**
   * Sets the browser's cookie and returns its value if a sign-in without a code challenge leads to one of our own
   * pages. Only the browser that began the sign-in can then receive the tokens. Otherwise an attacker could sign other
   * people in to the attacker's account. Returns null for any other sign-in. Also returns null over plain HTTP, because
   * browsers send this cookie with the provider's form only over https.
   */
  const bindBrowser = (
    request: FastifyRequest,
    reply: FastifyReply,
    { redirectTo, challenge }: { redirectTo: string | null; challenge: CodeChallenge | null },
  ): string | null => {
    const isOurPage = new URL(redirectTo ?? redirects.home).origin === new URL(redirects.home).origin
    return isHttps && isOurPage && challenge === null ? rememberBrowser(request, reply) : null
  }

  endpoints.add(hostedSso, async ({ request, reply }) => {
    const saml = enabled()
    const body = await readSsoBody(request)
    const choice = choiceIn(body)
    const challenge = readCodeChallenge(body)
    const redirectTo = redirects.allow(body.redirect_to ?? undefined)
    const browser = bindBrowser(request, reply, { redirectTo, challenge })
    const url = await saml.begin(choice, { redirectTo, challenge, browser }, deviceOf(request))
    return body.skip_http_redirect === true ? { url } : leadTo(reply, url, 303)
  })

  endpoints.add(hostedSamlMetadata, async ({ query, reply }) => {
    const saml = enabled()
    const isCopy = query.download === 'true'
    if (isCopy) reply.header('content-disposition', 'attachment; filename="metadata.xml"')
    reply.type('application/xml; charset=utf-8').header('cache-control', 'public, max-age=600')
    return reply.send(await saml.metadata(isCopy ? addMs(clock.now(), COPY_MS) : null))
  })

  const finish = async (saml: SamlSignIn, returned: SamlReturn, request: FastifyRequest): Promise<string> => {
    try {
      const outcome = await saml.finish(returned, browserOf(request), deviceOf(request))
      return outcome === 'tested' ? `${publicUrl}${TEST_PAGE}` : locationOf(redirects, outcome)
    } catch (error) {
      // It is unknown which client is waiting for this browser, so the error goes to the start page.
      return redirects.withFields(null, providerErrorFields(error), 'both')
    }
  }

  endpoints.add(hostedSamlAcs, async ({ request, reply }) => {
    const saml = enabled()
    const form = await readForm(request, SAML_FORM_MAX_BYTES)
    const { SAMLResponse: samlResponse = '', RelayState: relayState = '' } = form
    if (samlResponse === '') throw new AppError('INVALID_INPUT', { text: 'SAMLResponse is missing' })
    // With the status 303, the browser does not submit the form again at the next address.
    return leadTo(reply, await finish(saml, { samlResponse, relayState }, request), 303)
  })
}
