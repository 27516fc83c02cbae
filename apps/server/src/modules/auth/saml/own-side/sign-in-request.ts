import { type KeyObject, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { ASSERTION_NS, PROTOCOL_NS, escapeXml } from '../xml/read-xml.ts'
import { samlTime } from '../xml/saml-time.ts'
import type { OwnAddresses } from './own-metadata.ts'

const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/**
 * Returns the address to which the browser goes for a sign-in at a provider. It contains our request, signed as the
 * HTTP-Redirect binding requires.
 */
export function signInRequestUrl(
  addresses: OwnAddresses,
  key: KeyObject,
  request: { id: string; signInUrl: string; relayState: string; nameIdFormat: string | null; now: Date },
): string {
  const { id, signInUrl, relayState, now } = request
  const xml = `<samlp:AuthnRequest xmlns:samlp="${PROTOCOL_NS}" xmlns:saml="${ASSERTION_NS}" ID="${id}" Version="2.0" IssueInstant="${samlTime(now)}" Destination="${escapeXml(signInUrl)}" AssertionConsumerServiceURL="${escapeXml(addresses.acsUrl)}" ProtocolBinding="${POST_BINDING}"><saml:Issuer>${escapeXml(addresses.metadataUrl)}</saml:Issuer><samlp:NameIDPolicy Format="${escapeXml(request.nameIdFormat ?? PERSISTENT)}" AllowCreate="true"/></samlp:AuthnRequest>`
  const fields = [
    ['SAMLRequest', deflateRawSync(xml).toString('base64')],
    ['RelayState', relayState],
    ['SigAlg', RSA_SHA256],
  ] as const
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const signature = sign('sha256', Buffer.from(query), key).toString('base64')
  const url = new URL(signInUrl)
  url.hash = ''
  const join = url.search === '' ? '?' : '&'
  return `${url.href.replace(/\?$/, '')}${join}${query}&Signature=${encodeURIComponent(signature)}`
}
