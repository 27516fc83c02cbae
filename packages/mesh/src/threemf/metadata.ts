import { decodeXmlText } from '../xml/xml-text.ts'

/**
 * The metadata of a 3MF as plain text of limited length. It is untrusted: show it as text, never as markup.
 * `licenseTerms` is the field with that name, or the field `License` that Bambu Studio writes.
 */
export type ModelMetadata = {
  title?: string
  designer?: string
  description?: string
  copyright?: string
  licenseTerms?: string
  application?: string
  creationDate?: string
  modificationDate?: string
}

const FIELDS: Readonly<Record<string, keyof ModelMetadata>> = {
  Title: 'title',
  Designer: 'designer',
  Description: 'description',
  Copyright: 'copyright',
  LicenseTerms: 'licenseTerms',
  License: 'licenseTerms',
  Application: 'application',
  CreationDate: 'creationDate',
  ModificationDate: 'modificationDate',
}

const MAX_LETTERS = 500
const MAX_DESCRIPTION_LETTERS = 10_000
const MAX_TEXT_BYTES = 64 * 1024
/** Matches control characters (except tabs and line ends), direction marks, and byte order marks. */
const UNSEEN = /(?![\t\r\n])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Creates a collector for the text of one XML element. It keeps at most 64 KiB. */
export function createTextCollector() {
  let pieces: { bytes: Uint8Array[]; isLiteral: boolean }[] = []
  let length = 0
  return {
    add(bytes: Uint8Array, start: number, end: number, isLiteral: boolean) {
      if (end === start || length + end - start > MAX_TEXT_BYTES) return
      length += end - start
      const last = pieces.at(-1)
      // Join pieces of the same kind before decoding, because a chunk may end inside a character.
      if (last?.isLiteral === isLiteral) last.bytes.push(bytes.slice(start, end))
      else pieces.push({ bytes: [bytes.slice(start, end)], isLiteral })
    },
    take(): string {
      const text = pieces.map(({ bytes, isLiteral }) => {
        const all = Buffer.concat(bytes)
        return isLiteral ? new TextDecoder().decode(all) : decodeXmlText(all)
      })
      pieces = []
      length = 0
      return text.join('')
    },
  }
}

/** Stores a field that we use. If a field occurs several times, the first value that is not empty counts. */
export function addMetadata(metadata: ModelMetadata, name: string, text: string) {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (!field || metadata[field]) return
  const plain = plainText(text, field === 'description' ? MAX_DESCRIPTION_LETTERS : MAX_LETTERS)
  if (plain) metadata[field] = plain
}

/** Removes control characters and direction marks, and shortens the text to `maxLetters`. */
export function plainText(text: string, maxLetters: number): string {
  const plain = text.replace(UNSEEN, '').trim()
  return plain.length > maxLetters
    ? `${plain.slice(0, maxLetters - 1).toWellFormed()}…`
    : plain.toWellFormed()
}
