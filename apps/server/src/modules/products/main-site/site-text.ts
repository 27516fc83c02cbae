const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#039;': "'",
  '&#39;': "'",
}

/** Converts plain text to HTML, with `<br>` for each line break. */
export const htmlOf = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '').replace(/\r?\n/g, '<br>\n')

/** Decodes the HTML entities of a text from a shop. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#0?39);/g, (entity) => ENTITIES[entity] ?? entity)

const LICENSES: Readonly<Record<string, string>> = {
  cc0: 'CC0',
  'cc-by': 'CC BY',
  'cc-by-sa': 'CC BY-SA',
  'cc-by-nc': 'CC BY-NC',
  custom: 'Custom',
}

/** Returns the required attribution as a text, for shops that have no fields for it. */
export function creditsOf(payload: {
  license: string | null
  designer: string | null
  designerUrl: string | null
}): { name: string; text: string }[] {
  const { license, designer, designerUrl } = payload
  const by = [designer, designerUrl].filter((part) => part !== null).join(', ')
  return [
    ...(by === '' ? [] : [{ name: 'Designer', text: by }]),
    ...(license === null ? [] : [{ name: 'License', text: LICENSES[license] ?? license }]),
  ]
}
