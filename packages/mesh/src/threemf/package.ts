import type { ByteSource } from '../byte-source.ts'
import { RejectionError } from '../rejection-error.ts'
import { printableName } from '../zip/entry-name.ts'
import { openZip, type OpenEntry, type ZipArchive } from '../zip/open-zip.ts'
import { readWholeEntry } from '../zip/read-entry.ts'
import { MODEL_TYPE, readRelationships, THUMBNAIL_TYPE } from './relationships.ts'

/** An opened 3MF: its parts by lower-case name, and the targets of its root relationships. */
export type Package3mf = {
  archive: ZipArchive
  parts: ReadonlyMap<string, OpenEntry>
  model: OpenEntry
  thumbnail: OpenEntry | null
}

const MAX_RELS_BYTES = 1024 * 1024
const ROOT_RELS = '_rels/.rels'
const USUAL_MODEL = '3d/3dmodel.model'
/** Paths of pictures that programs store without a relationship. */
const USUAL_THUMBNAILS = ['metadata/thumbnail.png', 'metadata/plate_1.png']

/** Returns whether a ZIP is a 3MF, judging by the names of its entries. No entry is unpacked. */
export function is3mf(archive: ZipArchive): boolean {
  const names = new Set(archive.entries.map((entry) => entry.name.toLowerCase()))
  if (names.has(USUAL_MODEL)) return true
  return names.has('[content_types].xml') && [...names].some((name) => name.endsWith('.model'))
}

/** Opens a 3MF and finds its model. Throws RejectionError for damaged or hostile archives. */
export async function openPackage(source: ByteSource): Promise<Package3mf> {
  return findParts(await openZip(source))
}

/** Finds the model in an archive that is already open. Throws RejectionError for damaged or hostile archives. */
export async function findParts(archive: ZipArchive): Promise<Package3mf> {
  const parts = new Map<string, OpenEntry>()
  for (const entry of archive.entries) {
    const name = entry.name.toLowerCase()
    // Refuse two part names that differ only in case, because two programs could read different models from the file.
    if (parts.has(name)) {
      const problem = `holds "${printableName(entry.name)}" twice`
      throw new RejectionError('unsafe-archive', `The archive ${problem}. Export the model again.`)
    }
    if (!entry.isFolder) parts.set(name, entry)
  }
  const rels = parts.get(ROOT_RELS)
  const links = rels ? readRelationships(await readWholeEntry(archive, rels, MAX_RELS_BYTES)) : []
  const models = new Set(links.filter((link) => link.type === MODEL_TYPE).map((link) => link.target))
  if (models.size > 1) {
    throw new RejectionError('unsafe-structure', 'The file names two main models. Export the model again.')
  }
  const model = parts.get([...models][0] ?? USUAL_MODEL)
  if (!model)
    throw new RejectionError('bad-archive', 'The archive contains no 3MF model. Export the model again.')
  const pictures = links.filter((link) => link.type === THUMBNAIL_TYPE).map((link) => link.target)
  const picture = [...pictures, ...USUAL_THUMBNAILS].find((name) => parts.has(name))
  return { archive, parts, model, thumbnail: picture === undefined ? null : parts.get(picture)! }
}
