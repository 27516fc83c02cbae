import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { ownCertificate } from '../../../../src/modules/auth/saml/own-side/own-certificate.ts'

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
export const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
export const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1'
const MINUTE_MS = 60_000

const keyOf = (bits: number): KeyObject => generateKeyPairSync('rsa', { modulusLength: bits }).privateKey
/** A key pair for all providers of a test file, because creating a key takes long. */
export const IDP_KEY = keyOf(2048)
export const OTHER_KEY = keyOf(2048)
export const WEAK_KEY = keyOf(1024)

const certificateOf = (key: KeyObject): string => ownCertificate(key, 'idp.example.com').toString('base64')

export const pemOf = (key: KeyObject): string =>
  `-----BEGIN CERTIFICATE-----\n${certificateOf(key).replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

export interface ResponseAttribute {
  name: string
  friendlyName?: string
  values: readonly string[]
}

/** The contents of a response. A test changes the parts that it forges. */
export interface ResponseFields {
  issuer: string
  nameId: string
  nameIdFormat: string
  attributes: readonly ResponseAttribute[]
  inResponseTo: string | null
  destination: string | null
  recipient: string
  audience: string
  notBefore: Date
  notOnOrAfter: Date
  /** The end of the time in which the browser may deliver the assertion (`NotOnOrAfter` of the confirmation). */
  confirmedUntil: Date
  sessionNotOnOrAfter: Date | null
  status: string
  assertionId: string
  /** XML that is inserted into the conditions. */
  condition: string
  signs: 'assertion' | 'response' | 'both' | 'nothing'
  key: KeyObject
  /** The certificate in `KeyInfo`. Null leaves it out. */
  keyInfo: KeyObject | null
  algorithm: string
  digest: string
}

/** The request of a sign-in that the server has started. */
export interface AskedSignIn {
  url: URL
  relayState: string
  requestId: string
  acsUrl: string
  audience: string
  xml: string
}

const attributeIn = (xml: string, name: string): string =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(xml)?.[1] ?? ''

/** Parses the request in the address to which the server sends a browser. */
export function readRequest(address: string): AskedSignIn {
  const url = new URL(address)
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return {
    url,
    relayState: url.searchParams.get('RelayState') ?? '',
    requestId: attributeIn(xml, 'ID'),
    acsUrl: attributeIn(xml, 'AssertionConsumerServiceURL'),
    audience: /<saml:Issuer>([^<]*)</.exec(xml)?.[1] ?? '',
    xml,
  }
}

/** Signs the element with this name, as a provider does. */
export function signElement(
  xml: string,
  name: 'Assertion' | 'Response',
  { key, keyInfo, algorithm, digest }: Pick<ResponseFields, 'key' | 'keyInfo' | 'algorithm' | 'digest'>,
): string {
  const signer = new SignedXml({
    privateKey: key,
    ...(keyInfo && { publicCert: pemOf(keyInfo) }),
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: EXCLUSIVE,
  })
  const xpath = `//*[local-name(.)='${name}']`
  signer.addReference({ xpath, transforms: [ENVELOPED, EXCLUSIVE], digestAlgorithm: digest })
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signer.getSignedXml()
}

const attributeXml = ({ name, friendlyName, values }: ResponseAttribute): string =>
  `<saml:Attribute Name="${name}"${friendlyName ? ` FriendlyName="${friendlyName}"` : ''}>${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`

const assertionXml = (fields: ResponseFields, now: Date): string =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${fields.assertionId}" Version="2.0" IssueInstant="${now.toISOString()}"><saml:Issuer>${fields.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${fields.nameIdFormat}">${fields.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData${fields.inResponseTo === null ? '' : ` InResponseTo="${fields.inResponseTo}"`} NotOnOrAfter="${fields.confirmedUntil.toISOString()}" Recipient="${fields.recipient}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${fields.notBefore.toISOString()}" NotOnOrAfter="${fields.notOnOrAfter.toISOString()}"><saml:AudienceRestriction><saml:Audience>${fields.audience}</saml:Audience></saml:AudienceRestriction>${fields.condition}</saml:Conditions><saml:AuthnStatement AuthnInstant="${now.toISOString()}"${fields.sessionNotOnOrAfter ? ` SessionNotOnOrAfter="${fields.sessionNotOnOrAfter.toISOString()}"` : ''} SessionIndex="s1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${fields.attributes.map(attributeXml).join('')}</saml:AttributeStatement></saml:Assertion>`

const responseXml = (fields: ResponseFields, now: Date): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${randomUUID()}" Version="2.0" IssueInstant="${now.toISOString()}"${fields.destination === null ? '' : ` Destination="${fields.destination}"`}${fields.inResponseTo === null ? '' : ` InResponseTo="${fields.inResponseTo}"`}><saml:Issuer>${fields.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${fields.status}"/></samlp:Status>${assertionXml(fields, now)}</samlp:Response>`

export const ADA_AT_WORK = {
  nameId: 'ada-at-acme',
  email: 'ada@acme.example',
  fullName: 'Ada Lovelace',
}

/** A SAML provider that signs whatever a test requests, even forged contents. */
export class SamlIdp {
  readonly entityId: string
  readonly signInUrl: string
  readonly key: KeyObject

  constructor(entityId = 'https://idp.example.com/metadata', key: KeyObject = IDP_KEY) {
    this.entityId = entityId
    this.signInUrl = new URL('/sign-in', entityId).href
    this.key = key
  }

  metadata({
    keys = [this.key],
    entityId = this.entityId,
    more = '',
  }: {
    keys?: readonly KeyObject[]
    entityId?: string
    more?: string
  } = {}): string {
    const certificates = keys
      .map(
        (key) =>
          `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificateOf(key)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      )
      .join('')
    return `<?xml version="1.0" encoding="UTF-8"?><!-- a comment is fine here --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"${more}><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${certificates}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${this.signInUrl}/post"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${this.signInUrl}"/></md:IDPSSODescriptor></md:EntityDescriptor>`
  }

  fieldsOf(asked: AskedSignIn, now: Date, changes: Partial<ResponseFields> = {}): ResponseFields {
    return {
      issuer: this.entityId,
      nameId: ADA_AT_WORK.nameId,
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      attributes: [
        { name: 'urn:oid:0.9.2342.19200300.100.1.3', friendlyName: 'mail', values: [ADA_AT_WORK.email] },
        { name: 'displayName', values: [ADA_AT_WORK.fullName] },
      ],
      inResponseTo: asked.requestId,
      destination: asked.acsUrl,
      recipient: asked.acsUrl,
      audience: asked.audience,
      notBefore: new Date(now.getTime() - MINUTE_MS),
      notOnOrAfter: new Date(now.getTime() + 5 * MINUTE_MS),
      confirmedUntil: new Date(now.getTime() + 5 * MINUTE_MS),
      sessionNotOnOrAfter: null,
      status: 'Success',
      assertionId: `_a${randomUUID()}`,
      condition: '',
      signs: 'assertion',
      key: this.key,
      keyInfo: null,
      algorithm: RSA_SHA256,
      digest: SHA256,
      ...changes,
    }
  }

  /** Returns the XML of a response to a sign-in. */
  respond(asked: AskedSignIn, now: Date, changes: Partial<ResponseFields> = {}): string {
    const fields = this.fieldsOf(asked, now, changes)
    let xml = responseXml(fields, now)
    if (fields.signs === 'assertion' || fields.signs === 'both') xml = signElement(xml, 'Assertion', fields)
    if (fields.signs === 'response' || fields.signs === 'both') xml = signElement(xml, 'Response', fields)
    return xml
  }
}

/** Returns the form that the provider makes the browser post. */
export const formOf = (xml: string, relayState: string): string =>
  new URLSearchParams({
    SAMLResponse: Buffer.from(xml).toString('base64'),
    RelayState: relayState,
  }).toString()
