import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../platform/errors/app-error.ts'
import { readRawBody } from '../../../platform/http/raw-body.ts'
import type { Redirects } from '../mail-links/redirects.ts'
import { type OAuthOutcome, newBrowserText } from '../oauth/oauth-sign-in.service.ts'
import { providerErrorFields, sessionFields } from './redirect-fields.ts'

/**
 * The name of the cookie by which the server recognizes a browser that returns from a provider. The cookie grants no
 * access.
 */
const COOKIE = 'pegasus-oauth'
const COOKIE_TEXT = /(?:^|;\s*)pegasus-oauth=([\w-]{32})(?:;|$)/
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;\s*charset=utf-8)?$/i

export const browserOf = ({ headers }: FastifyRequest): string | null =>
  COOKIE_TEXT.exec(headers.cookie ?? '')?.[1] ?? null

/**
 * Returns a function that sets the cookie and returns its value. Some providers send the browser back with a form on
 * their own site. The browser then sends only a `SameSite=None` cookie, which requires https.
 */
export function createBrowserCookie(publicUrl: string) {
  const site = publicUrl.startsWith('https:') ? 'SameSite=None; Secure' : 'SameSite=Lax'
  const { pathname } = new URL(`${publicUrl}/auth/v1/`)
  return (request: FastifyRequest, reply: FastifyReply): string => {
    const browser = browserOf(request) ?? newBrowserText()
    reply.header('set-cookie', `${COOKIE}=${browser}; Path=${pathname}; Max-Age=600; HttpOnly; ${site}`)
    return browser
  }
}

export const leadTo = (reply: FastifyReply, url: string, status: 302 | 303): FastifyReply =>
  reply.header('cache-control', 'no-store').redirect(url, status)

/** Returns the address of the page on which the client waits for a sign-in, with the result of the sign-in added. */
export function locationOf(redirects: Redirects, { redirectTo, result }: OAuthOutcome): string {
  if (result.kind === 'code') return redirects.withFields(redirectTo, { code: result.authCode }, 'query')
  if (result.kind === 'session')
    return redirects.withFields(redirectTo, sessionFields(result.session), 'fragment')
  return redirects.withFields(redirectTo, providerErrorFields(result.error), 'both')
}

/** Reads the fields of a submitted form. Throws UNSUPPORTED_MEDIA_TYPE or PAYLOAD_TOO_LARGE. */
export async function readForm(request: FastifyRequest, maxBytes: number): Promise<Record<string, string>> {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  const body = (await readRawBody(request, maxBytes)).toString()
  return Object.fromEntries(new URLSearchParams(body))
}
