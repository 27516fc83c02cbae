import { RejectionError } from '../rejection-error.ts'
import { decodeXmlText } from './xml-text.ts'

/** A name with its namespace. `space` is empty if none is declared. */
export type QualifiedName = { space: string; local: string }

/**
 * The namespaces of all prefixes at one place in the document. `resolved` keeps the names that were already resolved
 * there.
 */
export type NamespaceScope = { prefixes: ReadonlyMap<string, string>; resolved: Map<string, QualifiedName> }

/**
 * Maximum number of prefixes. 3MF files declare about five. Without a limit, a hostile file could declare more and
 * more.
 */
const MAX_PREFIXES = 32

export const ROOT_SCOPE: NamespaceScope = {
  prefixes: new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]),
  resolved: new Map(),
}

/** Returns the scope inside an element that declares `name` (`xmlns` or `xmlns:p`) as `value`. */
export function declare(scope: NamespaceScope, name: string, value: Uint8Array): NamespaceScope {
  const prefixes = new Map(scope.prefixes)
  prefixes.set(name === 'xmlns' ? '' : name.slice(6), decodeXmlText(value))
  if (prefixes.size > MAX_PREFIXES) {
    throw new RejectionError(
      'unsafe-xml',
      'The file declares too many content types. Export the model again.',
    )
  }
  return { prefixes, resolved: new Map() }
}

/**
 * Returns the namespace and the local name of an element. Elements without a prefix are in the default
 * namespace. For attributes, see `resolvePrefix`.
 */
export function resolveElement(scope: NamespaceScope, name: string): QualifiedName {
  const known = scope.resolved.get(name)
  if (known) return known
  const colon = name.indexOf(':')
  const prefix = colon < 0 ? '' : name.slice(0, colon)
  const space = scope.prefixes.get(prefix)
  if (space === undefined && prefix !== '') throw undeclared()
  const qualified = { space: space ?? '', local: name.slice(colon + 1) }
  if (scope.resolved.size < 1000) scope.resolved.set(name, qualified)
  return qualified
}

/** Returns the namespace of an attribute's prefix. */
export function resolvePrefix(scope: NamespaceScope, prefix: string): string {
  const space = scope.prefixes.get(prefix)
  if (space === undefined) throw undeclared()
  return space
}

function undeclared(): RejectionError {
  return new RejectionError(
    'unsafe-xml',
    'The file uses a namespace prefix that it does not declare. Export the model again.',
  )
}
