import type { ByteSource } from '../byte-source.ts'
import { sniffModel } from '../model-sniffer.ts'
import type { ModelFormat } from '../read-model.ts'
import { RejectionError, catchRejection } from '../rejection-error.ts'
import { SNIFFED_BYTES } from '../stl/stl-sniffer.ts'
import type { Rejection } from '../types.ts'
import { DEFAULT_ZIP_LIMITS, type ZipLimits } from './limits.ts'
import { openZip, type OpenEntry } from './open-zip.ts'
import { peekEntry, readEntryBytes } from './read-entry.ts'

/** One file in an archive, offered for import. */
export type ArchiveEntry = {
  /** The path inside the archive. It is text to show, never a path to write to. */
  name: string
  /** The unpacked size, as the archive claims. Reading stops if the claim is wrong. */
  sizeBytes: number
  /**
   * The format of the file, detected from its first bytes. Null if it is not a model. A 3MF is recognized by the name
   * of its first entry, so it may later turn out to be another kind of archive.
   */
  format: ModelFormat | null
  /** The reason why the file is not a model, for the person who uploaded it. */
  reason: string | null
}

export type Archive = {
  ok: true
  /** The files in the archive's order, without folders. */
  entries: ArchiveEntry[]
  /**
   * Returns the unpacked bytes of one entry. Throws while reading if the entry is damaged or longer than it
   * claims. In that case, `rejectionOf` returns the reason, and the bytes so far must be discarded.
   */
  read(name: string): AsyncIterable<Uint8Array>
}

/** Matches the usual names of the first entry in a 3MF (an OPC package). */
const PACKAGE_NAME = /^(\[content_types\]\.xml|_rels\/|3d\/|metadata\/)/i
const LOCAL_NAME_AT = 30

/**
 * Opens a ZIP from which models can be selected. Only the first bytes of each file are unpacked here. An
 * archive that is damaged, hostile or beyond `limits` is refused as a whole. An archive inside an archive is
 * listed but not opened.
 */
export function openArchive(
  source: ByteSource,
  limits: ZipLimits = DEFAULT_ZIP_LIMITS,
): Promise<Archive | Rejection> {
  return catchRejection(async () => {
    const archive = await openZip(source, limits)
    const files = archive.entries.filter((entry) => !entry.isFolder)
    const entries: ArchiveEntry[] = []
    for (const file of files) {
      const first = await catchRejection(() => peekEntry(archive, file, SNIFFED_BYTES))
      entries.push({ name: file.name, sizeBytes: file.sizeBytes, ...judge(first) })
    }
    const read = (name: string) => readEntryBytes(archive, findFile(files, name))
    return { ok: true as const, entries, read }
  })
}

function findFile(files: OpenEntry[], name: string): OpenEntry {
  const file = files.find((each) => each.name === name)
  if (!file) throw new RejectionError('bad-archive', 'The archive contains no such file. Open it again.')
  return file
}

function judge(first: Uint8Array | Rejection): Pick<ArchiveEntry, 'format' | 'reason'> {
  if ('ok' in first) return { format: null, reason: first.message }
  const sniffed = sniffModel(first)
  if (typeof sniffed !== 'string') return { format: null, reason: sniffed.message }
  if (sniffed !== 'zip') return { format: sniffed === 'obj' ? sniffed : 'stl', reason: null }
  const firstName = new TextDecoder().decode(first.subarray(LOCAL_NAME_AT, LOCAL_NAME_AT + 64))
  if (PACKAGE_NAME.test(firstName)) return { format: '3mf', reason: null }
  return { format: null, reason: 'This is an archive inside the archive. Unpack it first.' }
}
