import { type Rejection, reject } from './types.ts'

const G_CODE = 'G-code for a printer'

/**
 * Files that people upload by mistake, recognized from their first bytes. The text header of a binary STL never looks
 * like any of them.
 */
const SIGNATURES: readonly { at?: number; bytes: readonly number[]; what: string }[] = [
  { bytes: [0x7f, 0x45, 0x4c, 0x46], what: 'a program' },
  { bytes: [0xcf, 0xfa, 0xed, 0xfe], what: 'a program' },
  { bytes: [0xca, 0xfe, 0xba, 0xbe], what: 'a program' },
  { bytes: [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], what: 'a program' },
  { bytes: ascii('#!/'), what: 'a program' },
  { bytes: ascii('%PDF-'), what: 'a PDF document' },
  { bytes: ascii('%!PS'), what: 'a PostScript document' },
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
    what: 'an office document or a SolidWorks part',
  },
  { bytes: [0x89, 0x50, 0x4e, 0x47], what: 'a picture' },
  { bytes: [0xff, 0xd8, 0xff], what: 'a picture' },
  { bytes: ascii('GIF87a'), what: 'a picture' },
  { bytes: ascii('GIF89a'), what: 'a picture' },
  { bytes: [0x49, 0x49, 0x2a, 0x00], what: 'a picture' },
  { bytes: [0x4d, 0x4d, 0x00, 0x2a], what: 'a picture' },
  { at: 8, bytes: ascii('WEBP'), what: 'a picture' },
  { at: 4, bytes: ascii('ftyp'), what: 'a video or a picture' },
  { bytes: ascii('Rar!\u001a'), what: 'an archive that is not a ZIP file' },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], what: 'an archive that is not a ZIP file' },
  { bytes: [0x1f, 0x8b, 0x08], what: 'an archive that is not a ZIP file' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], what: 'an archive that is not a ZIP file' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], what: 'an archive that is not a ZIP file' },
  { at: 4, bytes: ascii('1AY&SY'), what: 'an archive that is not a ZIP file' },
  { at: 257, bytes: ascii('ustar'), what: 'an archive that is not a ZIP file' },
  { bytes: [...ascii('glTF'), 2, 0, 0, 0], what: 'a glTF scene' },
  { bytes: ascii('BLENDER-v'), what: 'a Blender project' },
  { bytes: ascii('BLENDER_v'), what: 'a Blender project' },
  { bytes: ascii('Kaydara FBX Binary'), what: 'an FBX scene' },
  { bytes: ascii('ply\n'), what: 'a PLY model' },
  { bytes: ascii('ply\r'), what: 'a PLY model' },
  { bytes: ascii('ISO-10303-21'), what: 'a STEP file' },
  { bytes: ascii('SQLite format 3\0'), what: 'a database' },
  { bytes: ascii('GCDE'), what: G_CODE },
]

/** Kinds of text that are not models, recognized from their start. `text` starts at its first letter. */
const TEXTS: readonly { like: RegExp; what: string }[] = [
  { like: /^<!doctype html|^<html|^<(head|body|script)\b/i, what: 'a web page' },
  {
    like: /^(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[^])*-->\s*)*(<!doctype svg[^>]*>\s*)?<svg\b/i,
    what: 'a picture',
  },
  { like: /^</, what: 'a web page or XML document' },
  { like: /^(;|\(|%\s|[GM]\d+\b|N\d+\s?[GM]\d)/, what: G_CODE },
  { like: /^0\s+SECTION/, what: 'a DXF drawing' },
  { like: /^(OFF|COFF|NOFF)\s/, what: 'an OFF model' },
  { like: /^\{/, what: 'a JSON document' },
  { like: /^[^\n]{0,72}S {6}1\s/, what: 'an IGES file' },
]

/** Returns the kind of a binary file, such as "a picture" or "a program". Returns null if it is unknown. */
export function identifyBinary(prefix: Uint8Array): string | null {
  const matches = (bytes: readonly number[], at = 0) => bytes.every((byte, i) => prefix[at + i] === byte)
  // The header of a binary STL may also begin with "MZ". In a program, these letters are followed by small binary
  // numbers.
  const isSmall = prefix.length > 5 && prefix[2] !== 0 && prefix[3] === 0 && prefix[5] === 0
  if (matches([0x4d, 0x5a]) && isSmall) return 'a program'
  // The header of a binary STL may also begin with "BM". In a bitmap, four zero bytes and the header length come later.
  if (
    matches([0x42, 0x4d]) &&
    matches([0, 0, 0, 0], 6) &&
    (matches([40, 0, 0, 0], 14) || matches([124, 0, 0, 0], 14))
  ) {
    return 'a picture'
  }
  return SIGNATURES.find((signature) => matches(signature.bytes, signature.at))?.what ?? null
}

/** Returns the kind of a text file that is neither ASCII STL nor OBJ. */
export function identifyText(text: string): string {
  return TEXTS.find(({ like }) => like.test(text))?.what ?? 'another kind of text file'
}

/**
 * Creates the rejection of a file that is not a model. `what` names the kind of file, with an article: "a
 * picture".
 */
export const rejectForeign = (what: string): Rejection =>
  reject(
    'not-a-model',
    what === G_CODE
      ? 'This is G-code for a printer, not a model. Add it on the page of its model, under Sliced files.'
      : `This is ${what}, not a model. Export the model as STL, 3MF or OBJ and upload that file.`,
  )

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}
