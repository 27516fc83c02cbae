import type { KeyObject } from 'node:crypto'
import { METADATA_NS, PROTOCOL_NS, SIGNATURE_NS, escapeXml } from '../xml/read-xml.ts'
import { samlTime } from '../xml/saml-time.ts'
import { ownCertificate } from './own-certificate.ts'
import type { OwnKeys } from './own-key.ts'

const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const NAME_ID_FORMATS = [
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
]

/** The addresses of this instance that providers use. */
export interface OwnAddresses {
  /** The address of the metadata, which is also our entity id. */
  metadataUrl: string
  /** The assertion consumer service, to which providers send browsers back. */
  acsUrl: string
}

export const ownAddresses = (base: string): OwnAddresses => ({
  metadataUrl: `${base}/sso/saml/metadata`,
  acsUrl: `${base}/sso/saml/acs`,
})

const keyDescriptor = (key: KeyObject, name: string): string =>
  `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${SIGNATURE_NS}"><ds:X509Data><ds:X509Certificate>${ownCertificate(key, name).toString('base64')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`

/** Returns our metadata for providers as XML. `validUntil` is set only for a copy that somebody downloads. */
export function ownMetadata(
  { metadataUrl, acsUrl }: OwnAddresses,
  { current, next }: OwnKeys,
  validUntil: Date | null,
): string {
  const name = new URL(metadataUrl).hostname
  const keys = [current, ...(next ? [next] : [])].map((key) => keyDescriptor(key, name)).join('')
  const formats = NAME_ID_FORMATS.map((format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`).join('')
  const end = validUntil ? ` validUntil="${samlTime(validUntil)}"` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${METADATA_NS}" entityID="${escapeXml(metadataUrl)}"${end}><md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL_NS}">${keys}${formats}<md:AssertionConsumerService Binding="${POST_BINDING}" Location="${escapeXml(acsUrl)}" index="1" isDefault="true"/></md:SPSSODescriptor></md:EntityDescriptor>`
}
