import { RejectionError } from '../rejection-error.ts'
import type { OpenEntry, ZipArchive } from '../zip/open-zip.ts'
import { readEntryBytes } from '../zip/read-entry.ts'

/**
 * A part of the file that makes a slicer run a program on the computer of the person who opens it (CVE-2023-47268).
 */
export type SlicerCommand = {
  /** Name of the part. */
  part: string
  /** The command, at most 200 characters. Empty if it could not be read. */
  command: string
}

/**
 * Settings take about ten kilobytes. A part that is longer than this limit is not searched, and is treated as
 * dangerous.
 */
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024
/** This many characters of a chunk are searched again with the next chunk, because a chunk may end inside a keyword. */
const OVERLAP_LETTERS = 400
/** A value that has not ended after this many characters is treated as a command. */
const MAX_VALUE_LETTERS = 64 * 1024
/** Matches parts that contain no settings: geometry, pictures, and the package's own tables. */
const NO_SETTINGS = /\.(model|png|jpe?g|rels)$|^\[content_types\]\.xml$/i
/**
 * Matches the name of the setting, which is the same in all slicers of this family. A longer word that
 * contains it is a different setting.
 */
const KEY = /(?<!\w)post_process(?![\w-])/gi
/**
 * Matches the forms of an empty command: `= ` to the end of the line (PrusaSlicer), `": []` (Bambu Studio, OrcaSlicer),
 * `" value=""`. Everything else is treated as a command.
 */
const EMPTY =
  /^(?:[ \t]*=[ \t\r";]*\n|"\s*:\s*(?:\[\s*(?:""\s*,\s*)*(?:""\s*)?\]|"")\s*[,}]|"\s+value\s*=\s*"")/
/** Matches the beginning of a value that is too short to decide whether it is empty. */
const OPEN = /^[\s"=:[\],;]*(?:v(?:a(?:l(?:ue?)?)?)?[\s="]*)?$/i

/**
 * Searches every part that may contain settings, even if its name is unusual. A part that is too long or cannot be
 * unpacked is listed with an empty command.
 */
export async function findSlicerCommands(archive: ZipArchive): Promise<SlicerCommand[]> {
  const found: SlicerCommand[] = []
  for (const entry of archive.entries) {
    if (entry.isFolder || entry.sizeBytes === 0 || NO_SETTINGS.test(entry.name)) continue
    const command = entry.sizeBytes > MAX_SEARCHED_BYTES ? '' : await findCommand(archive, entry)
    if (command !== null) found.push({ part: entry.name, command })
  }
  return found
}

/** Returns the command of a part, or null if it has none. */
async function findCommand(archive: ZipArchive, entry: OpenEntry): Promise<string | null> {
  let before = ''
  try {
    for await (const chunk of readEntryBytes(archive, entry)) {
      // Decode each byte as one character. The search needs only ASCII, so it does not matter if a chunk ends inside a
      // character.
      const text = before + Buffer.from(chunk).toString('latin1')
      const { command, openFrom } = search(text)
      if (command !== null) return command
      before = text.slice(Math.min(openFrom, Math.max(0, text.length - OVERLAP_LETTERS)))
      if (before.length > MAX_VALUE_LETTERS) return ''
    }
  } catch (error) {
    // Treat a part that cannot be unpacked here as dangerous, because a slicer may be able to unpack it.
    if (error instanceof RejectionError) return ''
    throw error
  }
  return null
}

/** Returns the first command, and the position from which to search again if a value is incomplete. */
function search(text: string): { command: string | null; openFrom: number } {
  const plain = unescape(text)
  for (const match of plain.matchAll(KEY)) {
    const rest = plain.slice(match.index + match[0].length)
    if (EMPTY.test(rest)) continue
    // Decoding the escape sequences has shortened the text, so in the original text, the match is here or later.
    if (OPEN.test(rest)) return { command: null, openFrom: match.index }
    const [command = ''] = rest.replace(/^[\s"=:[]+/, '').split('\n', 1)
    return { command: command.trim().slice(0, 200), openFrom: 0 }
  }
  return { command: null, openFrom: text.length }
}

/** Decodes the escape sequences of JSON and XML, and removes the NUL characters of UTF-16. */
function unescape(text: string): string {
  return text
    .replaceAll('\0', '')
    .replace(/\\u00([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#x0*([0-9a-f]{2});/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#0*([0-9]{2,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
}
