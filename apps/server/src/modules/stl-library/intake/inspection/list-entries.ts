import { SNIFFED_BYTES } from '@pegasus/mesh/stl-sniffer'
import { sniffModel } from '@pegasus/mesh/model-sniffer'
import type { ModelFormat } from '@pegasus/contracts/stl-files'
import { settle } from '@pegasus/mesh/refusal'
import type { OpenEntry, ZipArchive } from '@pegasus/mesh/zip/open-zip'
import { peekEntry } from '@pegasus/mesh/zip/read-entry'
import type { FoundEntry } from './inspection.protocol.ts'

/** What file managers leave in archives: nobody packed it on purpose. */
const JUNK = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)/i
/** Files that a 3MF begins with; a plain archive of models does not. */
const PACKAGE_PART = /^(?:\[content_types\]\.xml|_rels\/|3d\/|metadata\/)/i
const ZIP_NAME_AT = 30

/** The files of an archive and what each is by its first bytes. Throws refusals. */
export async function listEntries(archive: ZipArchive): Promise<FoundEntry[]> {
  const found: FoundEntry[] = []
  for (const [index, entry] of archive.entries.entries()) {
    if (entry.isFolder || JUNK.test(entry.name)) continue
    const { name, sizeBytes } = entry
    found.push({ index, name, sizeBytes, format: await formatOf(archive, entry) })
  }
  return found
}

async function formatOf(archive: ZipArchive, entry: OpenEntry): Promise<ModelFormat | null> {
  if (entry.sizeBytes === 0) return null
  const peeked = await settle(async () => ({
    ok: true as const,
    bytes: await peekEntry(archive, entry, SNIFFED_BYTES),
  }))
  if (!peeked.ok) return null
  const format = sniffModel(peeked.bytes)
  if (typeof format !== 'string') return null
  if (format === 'zip') return isPackage(peeked.bytes) ? '3mf' : null
  return format === 'obj' ? 'obj' : 'stl'
}

/** Whether a ZIP within the archive looks like a 3MF; its import looks at all of it. */
function isPackage(bytes: Uint8Array): boolean {
  if (bytes.length < ZIP_NAME_AT) return false
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint16(26, true)
  return PACKAGE_PART.test(
    new TextDecoder('latin1').decode(bytes.subarray(ZIP_NAME_AT, ZIP_NAME_AT + length)),
  )
}
