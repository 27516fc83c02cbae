import { RejectionError } from '../rejection-error.ts'

/** The five predefined entities of XML. There are no others, because declarations are refused. */
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes a text or the value of an attribute, and resolves its references. Invalid UTF-8 becomes U+FFFD. */
export function decodeXmlText(bytes: Uint8Array): string {
  return replaceReferences(new TextDecoder().decode(bytes))
}

function replaceReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,12});|&/g, (_, name: string | undefined) => {
    const value = name === undefined ? undefined : (ENTITIES[name] ?? characterOf(name))
    if (value !== undefined) return value
    throw new RejectionError(
      'unsafe-xml',
      'The file refers to an XML entity that it may not define. Export the model again.',
    )
  })
}

/** Returns the character for `#65` or `#x41`. */
function characterOf(name: string): string | undefined {
  const match = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name)
  if (!match) return undefined
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16)
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
