import { readRange } from '../byte-source.ts'
import { RejectionError } from '../rejection-error.ts'
import { LOCAL_BYTES, ENTRY_BYTES, ENTRY_SIGNATURE } from './entries.ts'
import type { OpenEntry, ZipArchive } from './open-zip.ts'
import { END_BYTES, END_SIGNATURE } from './central-directory.ts'
import { LOCAL_SIGNATURE } from './open-zip.ts'

const VERSION = 20
const UTF8_FLAG = 0x0800
const LARGEST = 0xffffffff

/**
 * Copies an archive with the files for which `isKept` is true. The packed bytes stay unchanged, so no content can be
 * lost. Times and other extra fields are not copied. Throws RejectionError if the copy exceeds 4 GiB, because no ZIP64
 * records are written.
 */
export async function* copyZip(
  archive: ZipArchive,
  isKept: (entry: OpenEntry) => boolean,
): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = []
  let offset = 0
  for (const entry of archive.entries) {
    if (!isKept(entry)) continue
    if (offset + entry.packedBytes > LARGEST || entry.sizeBytes > LARGEST) {
      throw new RejectionError(
        'too-large',
        'The archive is too large to be packed again. Export the model again.',
      )
    }
    const name = new TextEncoder().encode(entry.name)
    const header = localHeader(entry, name)
    directory.push(directoryRecord(entry, name, offset))
    offset += header.length + entry.packedBytes
    yield header
    yield* readRange(archive.source, entry.dataOffset, entry.dataOffset + entry.packedBytes)
  }
  yield* directory
  yield endRecord(directory, offset)
}

function localHeader(entry: OpenEntry, name: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(LOCAL_BYTES + name.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, LOCAL_SIGNATURE, true)
  writeCommon(view, 4, entry, name)
  bytes.set(name, LOCAL_BYTES)
  return bytes
}

function directoryRecord(entry: OpenEntry, name: Uint8Array, offset: number): Uint8Array {
  const bytes = new Uint8Array(ENTRY_BYTES + name.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, ENTRY_SIGNATURE, true)
  view.setUint16(4, VERSION, true)
  writeCommon(view, 6, entry, name)
  view.setUint32(42, offset, true)
  bytes.set(name, ENTRY_BYTES)
  return bytes
}

/** Writes the fields that the local header and the central directory record of a file have in common. */
function writeCommon(view: DataView, at: number, entry: OpenEntry, name: Uint8Array) {
  view.setUint16(at, VERSION, true)
  view.setUint16(at + 2, UTF8_FLAG, true)
  view.setUint16(at + 4, entry.method, true)
  // The date is 1 January 1980, the earliest that a ZIP can contain. Some programs complain about 0, which is no valid
  // date.
  view.setUint16(at + 8, 0x21, true)
  view.setUint32(at + 10, entry.crc32, true)
  view.setUint32(at + 14, entry.packedBytes, true)
  view.setUint32(at + 18, entry.sizeBytes, true)
  view.setUint16(at + 22, name.length, true)
}

function endRecord(directory: Uint8Array[], offset: number): Uint8Array {
  const bytes = new Uint8Array(END_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, END_SIGNATURE, true)
  view.setUint16(8, directory.length, true)
  view.setUint16(10, directory.length, true)
  view.setUint32(
    12,
    directory.reduce((sum, record) => sum + record.length, 0),
    true,
  )
  view.setUint32(16, offset, true)
  return bytes
}
