import { type KeyObject, X509Certificate } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import { hasUserInfo, isWebAddress } from '@pegasus/contracts/web-address'
import { SamlFault } from '../saml-fault.ts'
import {
  METADATA_NS,
  PROTOCOL_NS,
  SIGNATURE_NS,
  childrenOf,
  descendantsOf,
  isElement,
  readXml,
  textOf,
} from '../xml/read-xml.ts'
import { readSamlTime } from '../xml/saml-time.ts'

const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const MIN_KEY_BITS = 2048
const ENTITY_ID_MAX_LENGTH = 1024
const MAX_KEYS = 20

/** A provider, as its metadata describes it. */
export interface IdpMetadata {
  entityId: string
  /** The address to which browsers take our requests. */
  signInUrl: string
  /** The keys that sign responses. */
  keys: readonly KeyObject[]
  /** The SHA-256 fingerprints of the certificates, in the format that other programs show, such as `AB:CD:…`. */
  fingerprints: readonly string[]
  /**
   * When the first of the certificates expires. It is only shown to people: in SAML, a key is trusted as long as the
   * metadata contains it.
   */
  certificateEndsAt: Date
  /** When the metadata expires. Null if the metadata has no expiry. */
  validUntil: Date | null
}

/** The metadata of a provider cannot be used. The message explains the reason to the administrator. */
export class MetadataError extends Error {
  override name = 'MetadataError'
}

/**
 * Returns the only identity provider in a document. The document may be a list that also describes other parties.
 * Throws MetadataError if it describes no provider or several.
 */
function findEntity(root: Element): Element {
  if (isElement(root, METADATA_NS, 'EntityDescriptor')) return root
  const entities = isElement(root, METADATA_NS, 'EntitiesDescriptor')
    ? descendantsOf(root, METADATA_NS, 'EntityDescriptor').filter(
        (entity) => childrenOf(entity, METADATA_NS, 'IDPSSODescriptor').length > 0,
      )
    : []
  const [entity, ...others] = entities
  if (!entity || others.length > 0)
    throw new MetadataError('The metadata must describe exactly one identity provider.')
  return entity
}

function certificateIn(element: Element): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(textOf(element).replace(/\s+/g, ''), 'base64'))
  } catch {
    throw new MetadataError('A certificate in the metadata cannot be read.')
  }
}

function certificatesOf(descriptor: Element): X509Certificate[] {
  const certificates = childrenOf(descriptor, METADATA_NS, 'KeyDescriptor')
    .filter((key) => (key.getAttribute('use') ?? 'signing') === 'signing')
    .flatMap((key) => descendantsOf(key, SIGNATURE_NS, 'X509Certificate'))
    .map(certificateIn)
  if (certificates.length === 0) throw new MetadataError('The metadata contains no signing certificate.')
  if (certificates.length > MAX_KEYS)
    throw new MetadataError(`The metadata contains more than ${MAX_KEYS} certificates.`)
  for (const { publicKey } of certificates)
    if (
      publicKey.asymmetricKeyType !== 'rsa' ||
      (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_KEY_BITS
    )
      throw new MetadataError(`The keys of the provider must be RSA keys of at least ${MIN_KEY_BITS} bits.`)
  return certificates
}

function signInUrlOf(descriptor: Element): string {
  const service = childrenOf(descriptor, METADATA_NS, 'SingleSignOnService').find(
    (each) => each.getAttribute('Binding') === REDIRECT_BINDING,
  )
  if (!service)
    throw new MetadataError('The metadata contains no sign-in address for the binding HTTP-Redirect.')
  const address = service.getAttribute('Location') ?? ''
  if (hasUserInfo(address))
    throw new MetadataError('The sign-in address in the metadata contains a user name or a password.')
  if (!isWebAddress(address))
    throw new MetadataError('The sign-in address in the metadata is not a web address.')
  return new URL(address).href
}

/** Reads the metadata of a provider. Throws MetadataError. */
export function readIdpMetadata(xml: string): IdpMetadata {
  let root: Element
  try {
    root = readXml(xml, { allowsComments: true })
  } catch (cause) {
    if (!(cause instanceof SamlFault)) throw cause
    throw new MetadataError(
      cause.reason === 'doctype'
        ? 'Metadata with a document type is not accepted.'
        : 'The metadata is not a well-formed XML document.',
      { cause },
    )
  }
  const entity = findEntity(root)
  const entityId = entity.getAttribute('entityID') ?? ''
  if (entityId === '' || entityId.length > ENTITY_ID_MAX_LENGTH)
    throw new MetadataError('The metadata contains no entity id.')
  const [descriptor, ...others] = childrenOf(entity, METADATA_NS, 'IDPSSODescriptor')
  if (!descriptor || others.length > 0)
    throw new MetadataError('The metadata must describe exactly one identity provider.')
  if (!(descriptor.getAttribute('protocolSupportEnumeration') ?? '').split(/\s+/).includes(PROTOCOL_NS))
    throw new MetadataError('The provider does not support SAML 2.0.')
  const certificates = certificatesOf(descriptor)
  const validUntil = readSamlTime(entity.getAttribute('validUntil') ?? root.getAttribute('validUntil'))
  return {
    entityId,
    signInUrl: signInUrlOf(descriptor),
    keys: certificates.map(({ publicKey }) => publicKey),
    fingerprints: certificates.map(({ fingerprint256 }) => fingerprint256),
    certificateEndsAt: new Date(Math.min(...certificates.map(({ validTo }) => Date.parse(validTo)))),
    validUntil: validUntil && Number.isNaN(validUntil.getTime()) ? null : validUntil,
  }
}

/**
 * Returns a function that returns the parsed metadata of a provider, and caches it. Strangers can begin sign-ins, and
 * parsing long metadata for each of them would take too long.
 */
export function createMetadataCache(): (provider: { id: string; metadata_xml: string }) => IdpMetadata {
  const known = new Map<string, { xml: string; metadata: IdpMetadata }>()
  return ({ id, metadata_xml: xml }) => {
    const last = known.get(id)
    if (last?.xml === xml) return last.metadata
    const metadata = readIdpMetadata(xml)
    known.set(id, { xml, metadata })
    return metadata
  }
}
