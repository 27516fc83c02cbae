import { createRequire } from 'node:module'
import { type Language, LANGUAGES } from '@pegasus/contracts/texts/languages'
import { createTextTranslator } from '@pegasus/contracts/texts/text-patterns'

export type Translate = (text: string) => string

const require = createRequire(import.meta.url)
const translators = new Map<Language, Translate>([['en', (text) => text]])

/**
 * Returns a function that translates the server's texts for a person: emails, notifications and text messages. It
 * returns a text without a translation in English.
 */
export function translatorTo(language: Language): Translate {
  const known = translators.get(language)
  if (known) return known
  // Load a catalog only when a text needs it, because many servers send no messages.
  const catalog = require(`@pegasus/contracts/texts/server.${language}.json`) as Record<string, string>
  const translate = createTextTranslator(catalog, LANGUAGES[language].locale)
  translators.set(language, translate)
  return translate
}
