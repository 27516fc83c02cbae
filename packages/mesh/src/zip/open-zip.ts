import { type ByteSource, readBytes } from '../byte-source.ts'
import { RejectionError } from '../rejection-error.ts'
import { DAMAGED, readDirectory } from './central-directory.ts'
import { LOCAL_BYTES, readEntries, type ZipEntry } from './entries.ts'
import { DEFAULT_ZIP_LIMITS, type ZipLimits } from './limits.ts'

export const LOCAL_SIGNATURE = 0x04034b50
const NAME_AT = 46
/**
 * The flag of an entry whose sizes and checksum are written after its data. Its local header may contain zeros instead.
 */
const DESCRIPTOR_FLAG = 0x0008

/** An archive whose central directory is consistent and agrees with the header of every file. */
export type ZipArchive = { source: ByteSource; entries: OpenEntry[] }

/** An entry of an open archive. `dataOffset` is the offset of its packed bytes. */
export type OpenEntry = ZipEntry & { dataOffset: number }

/**
 * Opens a ZIP without unpacking anything. Throws RejectionError for an archive that is damaged, hostile or
 * beyond the limits.
 */
export async function openZip(
  source: ByteSource,
  limits: ZipLimits = DEFAULT_ZIP_LIMITS,
): Promise<ZipArchive> {
  const directory = await readDirectory(source, limits)
  const entries: OpenEntry[] = []
  for (const entry of readEntries(directory, limits)) {
    entries.push({ ...entry, dataOffset: await findData(source, entry) })
  }
  return { source, entries }
}

/**
 * Returns the offset of a file's packed bytes. Throws RejectionError if the header before the file does not
 * agree with the central directory, because some programs use only one of them.
 */
async function findData(source: ByteSource, entry: ZipEntry): Promise<number> {
  const nameLength = entry.record[28]! + 256 * entry.record[29]!
  const header = await readBytes(source, entry.offset, LOCAL_BYTES + nameLength)
  if (header.length < LOCAL_BYTES + nameLength) throw new RejectionError('bad-archive', DAMAGED)
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const dataOffset = entry.offset + header.length + view.getUint16(28, true)
  const isSame =
    view.getUint32(0, true) === LOCAL_SIGNATURE &&
    view.getUint16(26, true) === nameLength &&
    view.getUint16(8, true) === entry.method &&
    header.subarray(LOCAL_BYTES).every((byte, i) => byte === entry.record[NAME_AT + i]) &&
    areSizesSame(view, entry)
  if (!isSame)
    throw new RejectionError(
      'unsafe-archive',
      `Two records of the same file contradict each other. ${DAMAGED}`,
    )
  if (dataOffset + entry.packedBytes > entry.limit)
    throw new RejectionError('unsafe-archive', `Files of the archive overlap. ${DAMAGED}`)
  return dataOffset
}

function areSizesSame(local: DataView, entry: ZipEntry): boolean {
  const isDeferred = (local.getUint16(6, true) & DESCRIPTOR_FLAG) !== 0
  const agrees = (at: number, value: number) => {
    const declared = local.getUint32(at, true)
    // If all bits of a field are set, the value is in the ZIP64 field. The central directory contains it, too, so it is
    // not read here.
    return declared === value || declared === 0xffffffff || (isDeferred && declared === 0)
  }
  return agrees(14, entry.crc32) && agrees(18, entry.packedBytes) && agrees(22, entry.sizeBytes)
}
