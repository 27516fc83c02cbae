import type { KeyObject } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { SamlFault } from './saml-fault.ts'
import {
  ASSERTION_NS,
  ENCRYPTION_NS,
  PROTOCOL_NS,
  SIGNATURE_NS,
  childrenOf,
  descendantsOf,
  isElement,
  readXml,
  textOf,
} from './xml/read-xml.ts'
import { readSamlTime } from './xml/saml-time.ts'
import { verifySignature } from './xml/verify-signature.ts'

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
/** How much the clocks of the provider and of this server may differ. */
export const CLOCKS_APART_MS = MINUTE_MS
const TEXT_MAX_LENGTH = 2048
/** The conditions that the server understands. SAML requires that an assertion with any other condition is refused. */
const CONDITIONS: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'])

/** The sign-in to which a response must belong. */
export interface ExpectedResponse {
  /** The entity id of the provider. */
  issuer: string
  keys: readonly KeyObject[]
  /** The id of our sign-in request. */
  requestId: string
  /** Our own entity id. */
  audience: string
  /** The address of our endpoint for responses. */
  recipient: string
  now: Date
}

export interface SamlAttribute {
  name: string
  friendlyName: string
  values: readonly string[]
}

/** A verified assertion about a person. */
export interface Assertion {
  id: string
  nameId: { value: string; format: string }
  attributes: readonly SamlAttribute[]
  /** The server refuses the assertion from this time on. */
  expiresAt: Date
  /** When the session at the provider ends. Null if the provider sets no end. */
  sessionEndsAt: Date | null
}

const only = (parent: Element, namespace: string, name: string, fault: SamlFault): Element => {
  const [first, ...others] = childrenOf(parent, namespace, name)
  if (!first || others.length > 0) throw fault
  return first
}

function assertUniqueIds(root: Element): void {
  const seen = new Set<string>()
  for (const element of [root, ...Array.from(root.getElementsByTagName('*'))])
    for (const name of ['ID', 'Id', 'id']) {
      const id = element.getAttribute(name)
      if (id === null) continue
      if (seen.has(id)) throw new SamlFault('duplicate_id')
      seen.add(id)
    }
}

/**
 * Throws SamlFault unless `now` is between the `NotBefore` and `NotOnOrAfter` of an element. A missing limit does not
 * apply. An unreadable limit is refused.
 */
function assertInTime(element: Element, now: Date): void {
  const [from, until] = ['NotBefore', 'NotOnOrAfter'].map((name) => readSamlTime(element.getAttribute(name)))
  if (from && !(addMs(from, -CLOCKS_APART_MS) <= now)) throw new SamlFault('not_yet_valid')
  if (until && !(now < addMs(until, CLOCKS_APART_MS))) throw new SamlFault('expired')
}

/** Checks the parts of a response outside the assertion. They are reliable only if the response itself is signed. */
function checkEnvelope(response: Element, isSigned: boolean, expected: ExpectedResponse): void {
  const destination = response.getAttribute('Destination')
  if (destination === null ? isSigned : destination !== expected.recipient)
    throw new SamlFault('wrong_destination')
  if (response.getAttribute('InResponseTo') !== expected.requestId) throw new SamlFault('wrong_request')
  const [issuer] = childrenOf(response, ASSERTION_NS, 'Issuer')
  if (issuer && textOf(issuer) !== expected.issuer) throw new SamlFault('wrong_issuer')
  const status = only(
    response,
    PROTOCOL_NS,
    'Status',
    new SamlFault('not_a_response', { detail: 'no status' }),
  )
  const [code] = childrenOf(status, PROTOCOL_NS, 'StatusCode')
  if (code?.getAttribute('Value') !== SUCCESS) {
    const [message] = childrenOf(status, PROTOCOL_NS, 'StatusMessage')
    throw new SamlFault('refused_by_provider', { detail: message ? textOf(message).slice(0, 200) : '' })
  }
}

/**
 * Returns the time until which a browser may deliver the assertion. Throws SamlFault if no confirmation of the subject
 * is valid.
 */
function confirmedUntil(subject: Element, expected: ExpectedResponse): Date {
  let fault = new SamlFault('subject', { detail: 'no bearer confirmation' })
  for (const confirmation of childrenOf(subject, ASSERTION_NS, 'SubjectConfirmation')) {
    if (confirmation.getAttribute('Method') !== BEARER) continue
    const [data] = childrenOf(confirmation, ASSERTION_NS, 'SubjectConfirmationData')
    const until = data && readSamlTime(data.getAttribute('NotOnOrAfter'))
    try {
      if (!data || !until) throw new SamlFault('subject', { detail: 'the confirmation has no end' })
      if (data.getAttribute('Recipient') !== expected.recipient) throw new SamlFault('wrong_recipient')
      if (data.getAttribute('InResponseTo') !== expected.requestId) throw new SamlFault('wrong_request')
      assertInTime(data, expected.now)
      return until
    } catch (error) {
      if (!(error instanceof SamlFault)) throw error
      fault = error
    }
  }
  throw fault
}

function checkConditions(assertion: Element, expected: ExpectedResponse): void {
  const conditions = only(assertion, ASSERTION_NS, 'Conditions', new SamlFault('conditions'))
  assertInTime(conditions, expected.now)
  const parts = Array.from(conditions.childNodes).filter((node) => node.nodeType === node.ELEMENT_NODE)
  if (parts.some((node) => node.namespaceURI !== ASSERTION_NS || !CONDITIONS.has(node.localName ?? '')))
    throw new SamlFault('conditions', { detail: 'a condition that we do not know' })
  const restrictions = childrenOf(conditions, ASSERTION_NS, 'AudienceRestriction')
  const isForUs = (restriction: Element): boolean =>
    childrenOf(restriction, ASSERTION_NS, 'Audience').some((each) => textOf(each) === expected.audience)
  if (restrictions.length === 0 || !restrictions.every(isForUs)) throw new SamlFault('wrong_audience')
}

function sessionEndOf(assertion: Element, now: Date): Date | null {
  const statements = childrenOf(assertion, ASSERTION_NS, 'AuthnStatement')
  if (statements.length === 0) throw new SamlFault('conditions', { detail: 'nobody has signed in' })
  const ends = statements
    .map((statement) => readSamlTime(statement.getAttribute('SessionNotOnOrAfter')))
    .filter((end) => end !== null)
  if (ends.length === 0) return null
  const first = new Date(Math.min(...ends.map(Number)))
  if (!(now < first)) throw new SamlFault('session_over')
  return first
}

function attributesOf(assertion: Element): SamlAttribute[] {
  return childrenOf(assertion, ASSERTION_NS, 'AttributeStatement')
    .flatMap((statement) => childrenOf(statement, ASSERTION_NS, 'Attribute'))
    .map((attribute) => ({
      name: attribute.getAttribute('Name') ?? '',
      friendlyName: attribute.getAttribute('FriendlyName') ?? '',
      values: childrenOf(attribute, ASSERTION_NS, 'AttributeValue')
        .map(textOf)
        .filter((value) => value !== '' && value.length <= TEXT_MAX_LENGTH),
    }))
}

function nameIdOf(subject: Element): Assertion['nameId'] {
  const [element, ...others] = childrenOf(subject, ASSERTION_NS, 'NameID')
  if (others.length > 0) throw new SamlFault('subject', { detail: 'two names' })
  return { value: element ? textOf(element) : '', format: element?.getAttribute('Format') ?? '' }
}

/**
 * Returns the signed text of the response and of its assertion, parsed. Throws SamlFault if no signature covers the
 * assertion.
 */
function signedParts(text: string, expected: ExpectedResponse) {
  const root = readXml(text)
  if (!isElement(root, PROTOCOL_NS, 'Response') || root.getAttribute('Version') !== '2.0')
    throw new SamlFault('not_a_response')
  if (
    descendantsOf(root, ASSERTION_NS, 'EncryptedAssertion').length > 0 ||
    descendantsOf(root, ENCRYPTION_NS, 'EncryptedData').length > 0
  )
    throw new SamlFault('encrypted')
  assertUniqueIds(root)
  const assertions = descendantsOf(root, ASSERTION_NS, 'Assertion')
  const [assertion] = assertions
  const isAllowedAt = (parent: unknown): boolean => parent === root || parent === assertion
  const signatures = descendantsOf(root, SIGNATURE_NS, 'Signature')
  if (!signatures.every((signature) => isAllowedAt(signature.parentNode)))
    throw new SamlFault('signature_misplaced')
  // A provider that refuses a sign-in sends a response without an assertion.
  if (assertions.length === 0) checkEnvelope(root, false, expected)
  if (!assertion || assertions.length > 1 || assertion.parentNode !== root)
    throw new SamlFault('assertion_count')
  const signedResponse = verifySignature(text, root, expected.keys)
  const signedAssertion = verifySignature(text, assertion, expected.keys)
  const [inside] = signedResponse ? childrenOf(signedResponse, ASSERTION_NS, 'Assertion') : []
  const proved = signedAssertion ?? inside
  if (!proved) throw new SamlFault('not_signed')
  return { response: signedResponse ?? root, isSigned: signedResponse !== null, assertion: proved }
}

/**
 * Verifies the response of a provider and returns its assertion. The response, the assertion or both must be signed.
 * All returned data comes from the signed text. Throws SamlFault.
 */
export function readSamlResponse(text: string, expected: ExpectedResponse): Assertion {
  const { response, isSigned, assertion } = signedParts(text, expected)
  checkEnvelope(response, isSigned, expected)
  const id = assertion.getAttribute('ID') ?? ''
  if (id === '' || assertion.getAttribute('Version') !== '2.0') throw new SamlFault('not_a_response')
  const issuer = only(assertion, ASSERTION_NS, 'Issuer', new SamlFault('wrong_issuer'))
  if (textOf(issuer) !== expected.issuer) throw new SamlFault('wrong_issuer')
  const subject = only(assertion, ASSERTION_NS, 'Subject', new SamlFault('subject'))
  if (childrenOf(subject, ASSERTION_NS, 'EncryptedID').length > 0) throw new SamlFault('encrypted')
  checkConditions(assertion, expected)
  return {
    id,
    nameId: nameIdOf(subject),
    attributes: attributesOf(assertion),
    expiresAt: addMs(confirmedUntil(subject, expected), CLOCKS_APART_MS),
    sessionEndsAt: sessionEndOf(assertion, expected.now),
  }
}
