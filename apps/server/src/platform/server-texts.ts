import { createRequire } from 'node:module'
import { type Language, LANGUAGES } from '@pegasus/contracts/texts/languages'
import { createTextTranslator } from '@pegasus/contracts/texts/text-patterns'

export type Translate = (text: string) => string

const require = createRequire(import.meta.url)
const translators = new Map<Language, Translate>([['en', (text) => text]])

/**
 * Returns a function that translates the texts that the server sends to a person: emails, notifications and text
 * messages. A text without a translation stays English.
 */
export function translatorTo(language: Language): Translate {
  const known = translators.get(language)
  if (known) return known
  // The catalogs are read with the first message in their language, because many servers send none.
  const catalog = require(`@pegasus/contracts/texts/server.${language}.json`) as Record<string, string>
  const translate = createTextTranslator(catalog, LANGUAGES[language].locale)
  translators.set(language, translate)
  return translate
}
