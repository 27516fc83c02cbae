import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  OTHER_KEY,
  RSA_SHA1,
  SHA1,
  SamlIdp,
  type ResponseFields,
  readRequest,
  signElement,
} from '../../../../test/support/accounts/providers/saml-idp.ts'
import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { ownAddresses } from './own-side/own-metadata.ts'
import { signInRequestUrl } from './own-side/sign-in-request.ts'
import { readIdpMetadata } from './providers/idp-metadata.ts'
import { SamlFault, type SamlReason } from './saml-fault.ts'
import { type Assertion, readSamlResponse } from './saml-response.ts'

const NOW = new Date('2026-11-26T12:00:00Z')
const REQUEST_ID = '_request'
const ADDRESSES = ownAddresses('https://ops.example.com/auth/v1')
const idp = new SamlIdp()
const asked = readRequest(
  signInRequestUrl(ADDRESSES, OTHER_KEY, {
    id: REQUEST_ID,
    signInUrl: idp.signInUrl,
    relayState: 'state',
    nameIdFormat: null,
    now: NOW,
  }),
)
const after = (ms: number): Date => addMs(NOW, ms)

const read = (xml: string): Assertion =>
  readSamlResponse(xml, {
    issuer: idp.entityId,
    keys: readIdpMetadata(idp.metadata()).keys,
    requestId: REQUEST_ID,
    audience: ADDRESSES.metadataUrl,
    recipient: ADDRESSES.acsUrl,
    now: NOW,
  })

const respond = (changes: Partial<ResponseFields> = {}): string => idp.respond(asked, NOW, changes)

/** Returns the reason why a response is refused. Returns null if it is accepted. */
function reasonOf(xml: string): SamlReason | null {
  try {
    read(xml)
    return null
  } catch (error) {
    if (error instanceof SamlFault) return error.reason
    throw error
  }
}

const part = (xml: string, name: 'Assertion' | 'Signature' | 'Subject'): string =>
  new RegExp(`<(?:\\w+:)?${name}\\b[^]*?</(?:\\w+:)?${name}>`).exec(xml)?.[0] ?? ''

/** Returns the assertion of a response as an attacker would forge it: unsigned and about somebody else. */
const evil = (xml: string): string =>
  part(xml, 'Assertion')
    .replace(part(xml, 'Signature'), '')
    .replace('ada-at-acme', 'mallory')
    .replace(/ID="[^"]*"/, 'ID="_evil"')

describe('responses of a SAML provider', () => {
  it.each(['assertion', 'response', 'both'] as const)(
    'a SAML response is accepted if the provider signs the %s',
    (signs) => {
      const found = read(respond({ signs, sessionNotOnOrAfter: after(60 * MINUTE_MS) }))
      expect(found).toMatchObject({
        nameId: { value: 'ada-at-acme' },
        expiresAt: after(6 * MINUTE_MS),
        sessionEndsAt: after(60 * MINUTE_MS),
      })
      expect(found.attributes.map(({ friendlyName, values }) => [friendlyName, ...values])).toEqual([
        ['mail', 'ada@acme.example'],
        ['', 'Ada Lovelace'],
      ])
    },
  )

  it("a SAML response with any certificate in it is accepted if a key in the provider's metadata has signed it", () => {
    expect(reasonOf(respond({ keyInfo: OTHER_KEY }))).toBeNull()
  })

  it('a SAML response is accepted if it contains characters that XML escapes, or if the clocks differ slightly', () => {
    const changes = { nameId: 'a&amp;b&lt;c&#62;', notBefore: after(50_000), notOnOrAfter: after(MINUTE_MS) }
    expect(read(respond(changes)).nameId.value).toBe('a&b<c>')
    expect(reasonOf(respond({ confirmedUntil: after(-50_000) }))).toBeNull()
  })

  it.each<[string, Partial<ResponseFields>, SamlReason]>([
    ['is not signed at all', { signs: 'nothing' }, 'not_signed'],
    ['is signed by the key of another provider', { key: OTHER_KEY }, 'signature_invalid'],
    ['brings the key that signed it', { key: OTHER_KEY, keyInfo: OTHER_KEY }, 'signature_invalid'],
    ['is signed with SHA-1', { algorithm: RSA_SHA1 }, 'signature_algorithm'],
    ['has a digest of SHA-1', { digest: SHA1 }, 'signature_algorithm'],
    ['is for another audience', { audience: 'https://other.example.com' }, 'wrong_audience'],
    ['is for another recipient', { recipient: 'https://other.example.com/acs' }, 'wrong_recipient'],
    ['is for another destination', { destination: 'https://other.example.com/acs' }, 'wrong_destination'],
    [
      'is signed as a whole without a destination',
      { signs: 'response', destination: null },
      'wrong_destination',
    ],
    ['comes from another issuer', { issuer: 'https://other.example.com' }, 'wrong_issuer'],
    ['answers another request', { inResponseTo: '_other' }, 'wrong_request'],
    ['answers no request', { inResponseTo: null }, 'wrong_request'],
    ['has expired', { notOnOrAfter: after(-MINUTE_MS) }, 'expired'],
    ['came too late to be confirmed', { confirmedUntil: after(-MINUTE_MS) }, 'expired'],
    ['is not valid yet', { notBefore: after(MINUTE_MS + 1000) }, 'not_yet_valid'],
    ['is about a session that is over', { sessionNotOnOrAfter: after(-1) }, 'session_over'],
    ['has a condition that we do not know', { condition: '<saml:Mystery/>' }, 'conditions'],
    ['says that the sign-in failed', { status: 'Requester' }, 'refused_by_provider'],
  ])('a SAML response is refused if it %s', (_title, changes, reason) => {
    expect(reasonOf(respond(changes))).toBe(reason)
  })

  it.each<[string, (xml: string) => string, SamlReason]>([
    ['changed name', (xml) => xml.replace('ada-at-acme', 'mallory'), 'signature_invalid'],
    ['comment in the name', (xml) => xml.replace('ada-at', 'ada<!-- -->-at'), 'comment'],
    ['document type', (xml) => `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}`, 'doctype'],
    ['document type in capital and small letters', (xml) => `<!docType a>${xml}`, 'doctype'],
    [
      'processing instruction',
      (xml) => xml.replace('<saml:Subject>', '<?x y?><saml:Subject>'),
      'processing_instruction',
    ],
    ['broken end', (xml) => xml.slice(0, -5), 'not_xml'],
    ['text after the end', (xml) => `${xml}<a/>`, 'not_xml'],
    [
      'prefix without a namespace',
      (xml) => xml.replace('<saml:Subject>', '<nope:a/><saml:Subject>'),
      'not_xml',
    ],
    ['compressed form', (xml) => deflateRawSync(xml).toString('latin1'), 'not_xml'],
    ['DEFLATE bomb', () => deflateRawSync(Buffer.alloc(50_000_000)).toString('latin1'), 'not_xml'],
    [
      'great depth',
      (xml) =>
        xml.replace('</samlp:Response>', `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</samlp:Response>`),
      'too_deep',
    ],
    [
      'encrypted assertion',
      (xml) => xml.replace('<samlp:Status>', '<saml:EncryptedAssertion/><samlp:Status>'),
      'encrypted',
    ],
    [
      'two ids that are equal',
      (xml) =>
        xml.replace(
          '<samlp:Status>',
          `<samlp:Extensions ID="${/<saml:Assertion[^>]* ID="([^"]+)"/.exec(xml)?.[1]}"/><samlp:Status>`,
        ),
      'duplicate_id',
    ],
    ['no assertion', (xml) => xml.replace(part(xml, 'Assertion'), ''), 'assertion_count'],
    ['other root', (xml) => part(xml, 'Assertion'), 'not_a_response'],
    [
      'empty signature',
      (xml) => xml.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>'),
      'signature_invalid',
    ],
    [
      'signature without its reference',
      (xml) => xml.replace(/<ds:Reference[^]*?<\/ds:Reference>/, ''),
      'signature_misplaced',
    ],
    [
      'reference to the whole document',
      (xml) => xml.replace(/<ds:Reference URI="[^"]*"/, '<ds:Reference URI=""'),
      'signature_misplaced',
    ],
    [
      'canonical form with comments',
      (xml) =>
        xml.replace('xml-exc-c14n#"/><ds:SignatureMethod', 'xml-exc-c14n#WithComments"/><ds:SignatureMethod'),
      'signature_algorithm',
    ],
    [
      'signature by a shared secret',
      (xml) => xml.replace('2001/04/xmldsig-more#rsa-sha256', '2000/09/xmldsig#hmac-sha1'),
      'signature_algorithm',
    ],
    [
      'transform by a style sheet',
      (xml) => xml.replace('2000/09/xmldsig#enveloped-signature', 'TR/1999/REC-xslt-19991116'),
      'signature_algorithm',
    ],
  ])('a SAML response is refused with a %s', (_title, mangle, reason) => {
    expect(reasonOf(mangle(respond()))).toBe(reason)
  })

  it('a SAML response whose name was changed after the response and the assertion were signed is refused', () => {
    expect(reasonOf(respond({ signs: 'both' }).replace('ada-at-acme', 'mallory'))).toBe('signature_invalid')
  })

  it('a SAML response with a valid signature is refused if the signature of its assertion is wrong', () => {
    const xml = signElement(idp.respond(asked, NOW, { key: OTHER_KEY }), 'Response', idp.fieldsOf(asked, NOW))
    expect(reasonOf(xml)).toBe('signature_invalid')
  })
})

describe('signature wrapping', () => {
  const signed = respond()
  const assertion = part(signed, 'Assertion')
  const signature = part(signed, 'Signature')
  const wholeSigned = respond({ signs: 'response' })
  const wholeSignature = part(wholeSigned, 'Signature')

  it.each<[string, string]>([
    ['a second assertion before the signed one', signed.replace(assertion, evil(signed) + assertion)],
    ['a second assertion after the signed one', signed.replace(assertion, assertion + evil(signed))],
    [
      'the signed assertion inside of the forged one',
      signed.replace(assertion, evil(signed).replace('</saml:Assertion>', `${assertion}</saml:Assertion>`)),
    ],
    [
      'the forged assertion inside of the signed one',
      signed.replace(assertion, assertion.replace('</saml:Assertion>', `${evil(signed)}</saml:Assertion>`)),
    ],
    [
      'the signed assertion in the extensions',
      signed
        .replace(assertion, evil(signed))
        .replace('<samlp:Status>', `<samlp:Extensions>${assertion}</samlp:Extensions><samlp:Status>`),
    ],
    [
      'the signed assertion in an object of the signature',
      signed.replace(
        assertion,
        evil(signed).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${signature.replace('</ds:Signature>', `<ds:Object>${assertion.replace(signature, '')}</ds:Object></ds:Signature>`)}`,
        ),
      ),
    ],
    [
      'the signature moved to the forged assertion',
      signed.replace(
        assertion,
        evil(signed).replace('</saml:Issuer>', `</saml:Issuer>${signature}`) +
          assertion.replace(signature, ''),
      ),
    ],
    [
      'the signature of the assertion moved to the response',
      signed.replace(assertion, evil(signed)).replace('</saml:Issuer>', `</saml:Issuer>${signature}`),
    ],
    [
      'the signed response inside of a forged one',
      wholeSigned
        .replace(wholeSignature, '')
        .replace(/ID="_r[^"]*"/, 'ID="_forged"')
        .replace('ada-at-acme', 'mallory')
        .replace('<samlp:Status>', `<samlp:Extensions>${wholeSigned}</samlp:Extensions><samlp:Status>`),
    ],
    [
      'the signature in a place where no signature belongs',
      signed.replace(signature, '').replace('<saml:NameID', `${signature}<saml:NameID`),
    ],
  ])('a SAML response with %s is refused', (_title, xml) => {
    expect(xml).not.toBe(signed)
    expect(reasonOf(xml)).toMatch(/^(assertion_count|signature_misplaced|signature_invalid|duplicate_id)$/)
  })

  it('a SAML response with two subjects, or with a signed element of another kind, is refused', () => {
    const doubled = signed.replace(part(signed, 'Subject'), part(signed, 'Subject').repeat(2))
    expect(reasonOf(doubled)).toBe('signature_invalid')
    const renamed = signed.replaceAll('saml:Assertion', 'saml:Advice')
    expect(reasonOf(renamed)).toBe('signature_misplaced')
  })
})
