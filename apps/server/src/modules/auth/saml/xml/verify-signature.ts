import type { KeyObject } from 'node:crypto'
import { type Element, XMLSerializer } from '@xmldom/xmldom'
import { SignedXml } from 'xml-crypto'
import { SamlFault } from '../saml-fault.ts'
import { SIGNATURE_NS, childrenOf, descendantsOf, readXml } from './read-xml.ts'

/**
 * The accepted signature algorithms. SHA-1 is not among them, because anybody can create two texts with the same SHA-1.
 */
const SIGNATURE_ALGORITHMS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
])
const DIGESTS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
/**
 * The accepted ways to convert signed XML to text. Those that include comments are not accepted, because a comment is
 * never part of the signed text.
 */
const CANONICAL: ReadonlySet<string> = new Set([EXCLUSIVE, INCLUSIVE])
const TRANSFORMS: ReadonlySet<string> = new Set([...CANONICAL, ENVELOPED])

const pick = <T>(all: Record<string, T>, names: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))

const algorithmsIn = (signature: Element, name: string): (string | null)[] =>
  descendantsOf(signature, SIGNATURE_NS, name).map((element) => element.getAttribute('Algorithm'))

/** Throws SamlFault unless the signature covers exactly its parent element and uses accepted algorithms. */
function assertPlain(signature: Element, id: string): void {
  const isAllowed = (name: string, names: ReadonlySet<string>): boolean =>
    algorithmsIn(signature, name).every((algorithm) => algorithm !== null && names.has(algorithm))
  const [reference, ...others] = descendantsOf(signature, SIGNATURE_NS, 'Reference')
  if (!reference || others.length > 0 || reference.getAttribute('URI') !== `#${id}`)
    throw new SamlFault('signature_misplaced', { detail: 'it must refer to its parent only' })
  if (descendantsOf(signature, SIGNATURE_NS, 'Object').length > 0)
    throw new SamlFault('signature_misplaced', { detail: 'it contains an object' })
  for (const name of ['SignedInfo', 'SignatureMethod', 'CanonicalizationMethod', 'DigestMethod'])
    if (descendantsOf(signature, SIGNATURE_NS, name).length !== 1)
      throw new SamlFault('signature_invalid', { detail: `it has not one ${name}` })
  if (
    !isAllowed('SignatureMethod', SIGNATURE_ALGORITHMS) ||
    !isAllowed('DigestMethod', DIGESTS) ||
    !isAllowed('CanonicalizationMethod', CANONICAL) ||
    !isAllowed('Transform', TRANSFORMS)
  )
    throw new SamlFault('signature_algorithm')
  if (!algorithmsIn(signature, 'Transform').includes(ENVELOPED))
    throw new SamlFault('signature_invalid', { detail: 'it is not enveloped' })
}

/**
 * Checks the signature with one key. Returns the signed text, or null if the signature is wrong. Never uses the key
 * that the signature itself contains. Removes all other algorithms from the library's tables, so that the library can
 * use only accepted algorithms.
 */
function signedTextBy(key: KeyObject, text: string, signature: Element): string | null {
  const signed = new SignedXml({ publicCert: key, getCertFromKeyInfo: () => null })
  signed.idAttributes = ['ID']
  signed.SignatureAlgorithms = pick(signed.SignatureAlgorithms, SIGNATURE_ALGORITHMS)
  signed.HashAlgorithms = pick(signed.HashAlgorithms, DIGESTS)
  signed.CanonicalizationAlgorithms = pick(signed.CanonicalizationAlgorithms, TRANSFORMS)
  try {
    signed.loadSignature(new XMLSerializer().serializeToString(signature))
    if (!signed.checkSignature(text)) return null
  } catch {
    // The library throws for a wrong signature.
    return null
  }
  const [canonical, ...others] = signed.getSignedReferences()
  return others.length === 0 ? (canonical ?? null) : null
}

/**
 * Verifies the signature of an element. `text` is the whole document. Returns the element as it was signed, parsed
 * again from the signed text. Callers use only this element, so anything else in the document has no effect. Returns
 * null if the element has no signature. Throws SamlFault if the signature is not valid.
 */
export function verifySignature(text: string, element: Element, keys: readonly KeyObject[]): Element | null {
  const [signature, ...others] = childrenOf(element, SIGNATURE_NS, 'Signature')
  if (!signature) return null
  if (others.length > 0) throw new SamlFault('signature_misplaced', { detail: 'two in one element' })
  const id = element.getAttribute('ID') ?? ''
  if (!/^[\w.-]{1,256}$/.test(id))
    throw new SamlFault('signature_invalid', { detail: 'the element has no id' })
  assertPlain(signature, id)
  for (const key of keys) {
    const canonical = signedTextBy(key, text, signature)
    if (canonical === null) continue
    const signed = readXml(canonical)
    const isSame =
      signed.localName === element.localName &&
      signed.namespaceURI === element.namespaceURI &&
      signed.getAttribute('ID') === id
    if (!isSame) throw new SamlFault('signature_misplaced', { detail: 'another element is signed' })
    return signed
  }
  throw new SamlFault('signature_invalid')
}
