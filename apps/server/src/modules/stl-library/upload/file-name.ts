import { TITLE_MAX_LENGTH } from '@pegasus/contracts/stl-library/models'

const MAX_LENGTH = 255
// Matches control characters, and marks that reverse the reading order and so can make a name show a false
// extension.
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Returns the last part of an uploaded file's name, for display. Files on disk are never named after it. */
export function displayFileName(name: string | undefined): string {
  const last = (name ?? '').normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const clean = last.replace(UNSAFE, '').trim()
  return [...(clean || 'model.stl')].slice(0, MAX_LENGTH).join('')
}

/**
 * Decodes a file name from a form. Browsers escape only quotation marks and line ends, not even the percent sign (HTML,
 * multipart/form-data encoding algorithm).
 */
export const formFileName = (name: string | undefined): string | undefined =>
  name?.replace(/%22/g, '"').replace(/%0[AD]/g, ' ')

/** Returns the name of an archive entry with its folders, for display. */
export const displayPath = (path: string): string => path.replace(UNSAFE, '')

/** Derives a title from a file's name, without the extension or underscores. */
export function titleFromFileName(fileName: string): string {
  const withoutEnding = fileName.replace(/\.(stl|3mf|obj)$/i, '')
  const title = withoutEnding.replace(/[_\s]+/g, ' ').trim() || fileName
  // Count in UTF-16 units, as the form does, but never keep half of a surrogate pair.
  return title
    .slice(0, TITLE_MAX_LENGTH)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trim()
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Decodes a header as UTF-8 if it is valid UTF-8. Headers arrive decoded as Latin-1, but most servers write
 * UTF-8.
 */
function asWritten(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/**
 * Returns the name of a fetched file. It comes from the remote server's headers, otherwise from the address
 * of the file.
 */
export function downloadFileName(download: { url: URL; contentDisposition: string | undefined }): string {
  const header = asWritten(download.contentDisposition ?? '')
  const [, encoded] = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header) ?? []
  const [, quoted, plain] = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header) ?? []
  return displayFileName((encoded && decode(encoded)) || quoted || plain || decode(download.url.pathname))
}
