import { ParseError } from '../parse-error.ts'
import type { OpenEntry, ZipArchive } from '../zip/open-zip.ts'
import { readEntryBytes } from '../zip/read-entry.ts'

/** A part of the file that makes a slicer run a program on the computer of whoever opens it (CVE-2023-47268). */
export type SlicerCommand = {
  /** Name of the part. */
  part: string
  /** The command as it stands there, at most 200 letters; empty where it could not be read out. */
  command: string
}

/** Settings are some ten kilobytes; what is longer is not searched but taken for what it might be. */
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024
/** Carried over to the next piece, so that no cut hides a word. */
const OVERLAP_LETTERS = 400
/** A setting whose value has not ended after so many letters is one. */
const MAX_VALUE_LETTERS = 64 * 1024
/** Parts that hold no settings: geometry, pictures, and the package's own tables. */
const NO_SETTINGS = /\.(model|png|jpe?g|rels)$|^\[content_types\]\.xml$/i
/** The setting of every slicer of this family; a longer word that contains it is another setting. */
const KEY = /(?<!\w)post_process(?![\w-])/gi
/**
 * How slicers write behind the key that there is no command: `= ` to the end of the line (PrusaSlicer), `": []` (Bambu
 * Studio, OrcaSlicer), `" value=""`. Whatever else stands there counts as a command.
 */
const EMPTY =
  /^(?:[ \t]*=[ \t\r";]*\n|"\s*:\s*(?:\[\s*(?:""\s*,\s*)*(?:""\s*)?\]|"")\s*[,}]|"\s+value\s*=\s*"")/
/** Not enough has been read to tell. */
const OPEN = /^[\s"=:[\],;]*(?:v(?:a(?:l(?:ue?)?)?)?[\s="]*)?$/i

/** Searches every part that may hold settings, whatever its name. Throws refusals for parts that cannot be unpacked. */
export async function findSlicerCommands(archive: ZipArchive): Promise<SlicerCommand[]> {
  const found: SlicerCommand[] = []
  for (const entry of archive.entries) {
    if (entry.isFolder || entry.sizeBytes === 0 || NO_SETTINGS.test(entry.name)) continue
    const command = entry.sizeBytes > MAX_SEARCHED_BYTES ? '' : await findCommand(archive, entry)
    if (command !== null) found.push({ part: entry.name, command })
  }
  return found
}

/** Null where there is none. */
async function findCommand(archive: ZipArchive, entry: OpenEntry): Promise<string | null> {
  let before = ''
  try {
    for await (const chunk of readEntryBytes(archive, entry)) {
      // Byte by byte: only ASCII is looked for, and a letter that a cut divides does not matter.
      const text = before + Buffer.from(chunk).toString('latin1')
      const { command, openFrom } = search(text)
      if (command !== null) return command
      before = text.slice(Math.min(openFrom, Math.max(0, text.length - OVERLAP_LETTERS)))
      if (before.length > MAX_VALUE_LETTERS) return ''
    }
  } catch (error) {
    // Not unpackable here, but perhaps by the slicer: better without it.
    if (error instanceof ParseError) return ''
    throw error
  }
  return null
}

/** The first command, and from where on the text has to be looked at again because a value in it is not complete. */
function search(text: string): { command: string | null; openFrom: number } {
  const plain = unescape(text)
  for (const match of plain.matchAll(KEY)) {
    const rest = plain.slice(match.index + match[0].length)
    if (EMPTY.test(rest)) continue
    // Escapes make the plain text shorter, so this place in it is at or before the one in the text.
    if (OPEN.test(rest)) return { command: null, openFrom: match.index }
    const [command = ''] = rest.replace(/^[\s"=:[]+/, '').split('\n', 1)
    return { command: command.trim().slice(0, 200), openFrom: 0 }
  }
  return { command: null, openFrom: text.length }
}

/** JSON and XML may write the letters of a key in escapes, and UTF-16 puts NUL between them. */
function unescape(text: string): string {
  return text
    .replaceAll('\0', '')
    .replace(/\\u00([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#x0*([0-9a-f]{2});/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#0*([0-9]{2,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
}
