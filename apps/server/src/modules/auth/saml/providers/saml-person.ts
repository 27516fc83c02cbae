import type { AttributeMapping } from '@pegasus/contracts/auth/hosted-sso'
import { AppError } from '../../../../platform/errors/app-error.ts'
import { readEmail } from '../../accounts/email-address.ts'
import type { Assertion } from '../saml-response.ts'

/** A person's profile at a SAML provider. */
export interface SamlPerson {
  /** The provider's permanent id of the person. */
  subject: string
  email: string
  fullName: string | null
  /** The data to store with the identity, under the field names of the protocol. */
  data: Record<string, unknown>
}

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
/** The standard attribute for a person's permanent id. It is used if the provider sends it. */
const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id'
const EMAIL_NAMES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'email',
]
const FULL_NAMES = [
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'displayName',
  'full_name',
]
const GIVEN_NAMES = [
  'urn:oid:2.5.4.42',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
  'givenName',
  'first_name',
]
const FAMILY_NAMES = [
  'urn:oid:2.5.4.4',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
  'sn',
  'last_name',
]
/** Fields of the protocol that a mapping may set. All other mapped fields become `custom_claims`. */
const CLAIMS: ReadonlySet<string> = new Set([
  'name',
  'full_name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'user_name',
  'locale',
  'zoneinfo',
])
/**
 * The maximum length of an id. Longer ids are refused rather than shortened, because two people could otherwise get the
 * same id.
 */
const SUBJECT_MAX_LENGTH = 255
const TEXT_MAX_LENGTH = 120
/** The maximum size of the custom claims. Every access token contains them, and the size of headers is limited. */
const CUSTOM_MAX_BYTES = 2048

const clean = (text: string): string => text.toWellFormed().replace(/\p{Cc}/gu, '')

/** Returns the values of an attribute. A provider can name an attribute by its `name` or its `friendlyName`. */
function valuesOf({ attributes }: Assertion, wanted: string): string[] {
  const name = wanted.toLowerCase()
  return attributes
    .filter((each) => each.name.toLowerCase() === name || each.friendlyName.toLowerCase() === name)
    .flatMap(({ values }) => values.map(clean))
    .filter((value) => value !== '')
}

const firstOf = (assertion: Assertion, names: readonly string[]): string | null =>
  names.flatMap((name) => valuesOf(assertion, name))[0] ?? null

function subjectOf(assertion: Assertion): string {
  const { value, format } = assertion.nameId
  const name = format === EMAIL_FORMAT ? value.toLowerCase() : value
  const subject = firstOf(assertion, [SUBJECT_ID]) ?? (format === TRANSIENT ? '' : name)
  if (subject === '' || subject !== clean(subject) || subject.length > SUBJECT_MAX_LENGTH)
    throw new AppError('SAML_USER_ID_MISSING')
  return subject
}

/** Returns the mapped fields. A field takes its value from the first of its attributes that has one. */
function mapped(assertion: Assertion, mapping: AttributeMapping): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [key, { name, names = [], default: otherwise, array: isList }] of Object.entries(
    mapping.keys ?? {},
  )) {
    const all = name === undefined || name === '' ? names : [name, ...names]
    const values = all.map((each) => valuesOf(assertion, each)).find((each) => each.length > 0)
    if (values) fields[key] = isList ? values : values[0]
    else if (otherwise !== undefined) fields[key] = otherwise
  }
  return fields
}

const shortText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, TEXT_MAX_LENGTH) : null

function emailOf(assertion: Assertion, fields: Record<string, unknown>): string {
  const { value, format } = assertion.nameId
  const given = shortText(fields['email']) ?? firstOf(assertion, EMAIL_NAMES)
  const text = given ?? (format === EMAIL_FORMAT ? value : '')
  try {
    return readEmail(text)
  } catch (cause) {
    throw new AppError('SAML_EMAIL_MISSING', { cause })
  }
}

function fullNameOf(assertion: Assertion, fields: Record<string, unknown>): string | null {
  const parts = [firstOf(assertion, GIVEN_NAMES), firstOf(assertion, FAMILY_NAMES)].filter(Boolean).join(' ')
  return shortText(fields['full_name'] ?? fields['name'] ?? firstOf(assertion, FULL_NAMES) ?? parts)
}

/** Reads the person from a verified assertion. Throws SAML_USER_ID_MISSING or SAML_EMAIL_MISSING. */
export function readPerson(assertion: Assertion, issuer: string, mapping: AttributeMapping): SamlPerson {
  const subject = subjectOf(assertion)
  const fields = mapped(assertion, mapping)
  const email = emailOf(assertion, fields)
  const fullName = fullNameOf(assertion, fields)
  const entries = Object.entries(fields).filter(([name]) => name !== 'email')
  const claims = entries
    .filter(([name]) => CLAIMS.has(name))
    .map(([name, value]) => [name, shortText(value)] as const)
    .filter(([, value]) => value !== null)
  const custom = Object.fromEntries(entries.filter(([name]) => !CLAIMS.has(name)))
  const isSmall = Buffer.byteLength(JSON.stringify(custom)) <= CUSTOM_MAX_BYTES
  const data = {
    ...Object.fromEntries(claims),
    iss: issuer.slice(0, TEXT_MAX_LENGTH),
    sub: subject,
    provider_id: subject,
    email,
    // Nobody has verified the address here. Only the provider states it.
    email_verified: false,
    phone_verified: false,
    ...(fullName && { full_name: fullName }),
    custom_claims: isSmall ? custom : {},
  }
  return { subject, email, fullName, data }
}
