import { createRequire } from 'node:module'
import type { Element, Node } from '@xmldom/xmldom'
import { SamlFault } from '../saml-fault.ts'

export const PROTOCOL_NS = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const ASSERTION_NS = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const METADATA_NS = 'urn:oasis:names:tc:SAML:2.0:metadata'
export const SIGNATURE_NS = 'http://www.w3.org/2000/09/xmldsig#'
export const ENCRYPTION_NS = 'http://www.w3.org/2001/04/xmlenc#'

/** Loads the XML library. Call this only when a document is read, because loading it would slow down every start. */
export const loadXmlLibrary = (): typeof import('@xmldom/xmldom') =>
  createRequire(import.meta.url)('@xmldom/xmldom')

/**
 * The maximum depth of elements. No SAML message or metadata is nested as deeply. A deeper document could exhaust the
 * stack of recursive code.
 */
const MAX_DEPTH = 40
const DECLARATION = /^\uFEFF?\s*<\?xml\s[^<>]{0,200}\?>/
const DOCTYPE = /<!(?:doctype|entity)/i

function assertShallow(root: Element): void {
  let node: Node = root
  for (let depth = 1; ; ) {
    if (node.firstChild) {
      node = node.firstChild
      depth += 1
      if (depth > MAX_DEPTH) throw new SamlFault('too_deep')
      continue
    }
    while (node !== root && !node.nextSibling) {
      node = node.parentNode ?? root
      depth -= 1
    }
    if (node === root || !node.nextSibling) return
    node = node.nextSibling
  }
}

/**
 * Parses a document and returns its root. Refuses a document type, because it could define entities that expand.
 * Refuses comments unless `allowsComments` is true, because programs disagree about the text around a comment. Throws
 * SamlFault.
 */
export function readXml(text: string, { allowsComments = false } = {}): Element {
  const body = text.replace(DECLARATION, '')
  if (DOCTYPE.test(body)) throw new SamlFault('doctype')
  if (!allowsComments && body.includes('<!--')) throw new SamlFault('comment')
  if (body.includes('<?')) throw new SamlFault('processing_instruction')
  const { DOMParser, onWarningStopParsing } = loadXmlLibrary()
  let root: Element | null
  try {
    root = new DOMParser({ locator: false, onError: onWarningStopParsing }).parseFromString(
      body.trim(),
      'text/xml',
    ).documentElement
  } catch (cause) {
    throw new SamlFault('not_xml', { cause })
  }
  if (!root) throw new SamlFault('not_xml')
  assertShallow(root)
  return root
}

export const isElement = (node: Node | null, namespace: string, name: string): node is Element =>
  node !== null &&
  node.nodeType === node.ELEMENT_NODE &&
  node.namespaceURI === namespace &&
  node.localName === name

/** Returns the direct children with this name, in the order of the document. */
export const childrenOf = (parent: Element, namespace: string, name: string): Element[] =>
  Array.from(parent.childNodes).filter((node): node is Element => isElement(node, namespace, name))

/** Returns the elements with this name anywhere below an element. */
export const descendantsOf = (parent: Element, namespace: string, name: string): Element[] =>
  Array.from(parent.getElementsByTagNameNS(namespace, name))

export const textOf = (element: Element): string => (element.textContent ?? '').trim()

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Escapes a text for an element or for an attribute in quotes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"'\t\n\r]/g, (character) => ENTITIES[character] ?? '')
