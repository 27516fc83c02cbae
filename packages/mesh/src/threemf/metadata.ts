import { decodeXmlText } from '../xml/xml-text.ts'

/**
 * What a 3MF says about itself, as plain text of bounded length: untrusted words of whoever made the file, to be shown
 * as text and never as markup. `licenseTerms` is the field of that name, or `License` as Bambu Studio writes it.
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
/** Control characters but for tabs and line ends, marks that turn the direction of writing, byte order marks. */
const UNSEEN = /(?![\t\r\n])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Collects the text of one element; what goes beyond 64 KiB is dropped. */
export function createTextCollector() {
  let pieces: { bytes: Uint8Array[]; isLiteral: boolean }[] = []
  let length = 0
  return {
    add(bytes: Uint8Array, start: number, end: number, isLiteral: boolean) {
      if (end === start || length + end - start > MAX_TEXT_BYTES) return
      length += end - start
      const last = pieces.at(-1)
      // Pieces of one kind are joined before they are decoded: a chunk may end within a letter.
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

/** Keeps a field that people may want to see. The first of several with one name counts, unless it is empty. */
export function addMetadata(metadata: ModelMetadata, name: string, text: string) {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (!field || metadata[field]) return
  const plain = plainText(text, field === 'description' ? MAX_DESCRIPTION_LETTERS : MAX_LETTERS)
  if (plain) metadata[field] = plain
}

/** Without control characters and those that turn the direction of writing; at most `maxLetters` long. */
export function plainText(text: string, maxLetters: number): string {
  const plain = text.replace(UNSEEN, '').trim()
  return plain.length > maxLetters
    ? `${plain.slice(0, maxLetters - 1).toWellFormed()}…`
    : plain.toWellFormed()
}
