import { RejectionError } from '../rejection-error.ts'
import { createXmlReader } from '../xml/xml-reader.ts'
import { decodeXmlText } from '../xml/xml-text.ts'
import { printableName } from '../zip/entry-name.ts'

const SPACE = 'http://schemas.openxmlformats.org/package/2006/relationships'
export const MODEL_TYPE = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel'
export const THUMBNAIL_TYPE =
  'http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail'
const MAX_RELATIONSHIPS = 1000

/** A relationship of the package. `target` is the name of an entry; see `partName`. */
export type Relationship = { type: string; target: string }

/**
 * Parses the `.rels` part at the package's root. Throws RejectionError for a relationship that points out of
 * the package, because a program that follows it would open a file or an address that the sender has chosen.
 */
export function readRelationships(bytes: Uint8Array): Relationship[] {
  const relationships: Relationship[] = []
  const reader = createXmlReader({
    open(name, attributes) {
      if (name.local !== 'Relationship' || (name.space !== SPACE && name.space !== '')) return
      const values = new Map<string, string>()
      for (let i = 0; i < attributes.count; i++) {
        const value = attributes.bytes.subarray(attributes.start(i), attributes.end(i))
        values.set(attributes.name(i), decodeXmlText(value))
      }
      const target = values.get('Target') ?? ''
      if (values.get('TargetMode')?.toLowerCase() === 'external') throw outside(target)
      if (relationships.length === MAX_RELATIONSHIPS) {
        throw new RejectionError('too-large', 'The file links to too many parts. Export the model again.')
      }
      relationships.push({ type: values.get('Type') ?? '', target: partName(target) })
    },
    close() {},
    text() {},
  })
  reader.push(bytes)
  reader.finish()
  return relationships
}

/**
 * Returns the name of the entry for a path in the package. It is in lower case, because names in OPC are
 * case-insensitive. Throws RejectionError for addresses, drives and paths that leave the package.
 */
export function partName(path: string): string {
  const isInside = !/^[a-z][a-z0-9+.-]*:|^\/\/|\\|[?#]/i.test(path) && !path.split('/').includes('..')
  if (!isInside) throw outside(path)
  const name = safeDecode(path).replace(/^\.?\//, '')
  if (name.includes('\\') || name.split('/').includes('..')) throw outside(path)
  return name.toLowerCase()
}

/** Decodes a part name. Part names are URIs, so a space may be written as %20. */
function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function outside(target: string): RejectionError {
  return new RejectionError(
    'unsafe-structure',
    `The file refers to "${printableName(target)}", which is not a part of it. Export the model again from a program you trust.`,
  )
}
