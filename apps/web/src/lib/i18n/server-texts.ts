/**
 * The texts that the server and the contracts write in English: errors, and messages about fields. Their translations
 * are in a catalog of their own, which no page in English loads.
 */
import { logWarning } from '../browser/log.ts'
import { spellFieldName } from '@pegasus/contracts/texts/field-names'
import { LANGUAGES } from '@pegasus/contracts/texts/languages'
import { isolateText, language, languageLocale } from './languages.ts'

const CATALOGS = {
  de: () => import('@pegasus/contracts/texts/server.de.json'),
  he: () => import('@pegasus/contracts/texts/server.he.json'),
}

let translate = language === 'en' ? spellFieldName : (text: string): string => text

/** Resolves when the texts can be translated, or when their catalog could not be loaded. */
export const serverTextsLoaded: Promise<void> = loadTexts()

async function loadTexts(): Promise<void> {
  if (language === 'en') return
  try {
    const [{ createTextTranslator }, { default: catalog }] = await Promise.all([
      import('@pegasus/contracts/texts/text-patterns'),
      CATALOGS[language](),
    ])
    translate = createTextTranslator(catalog, languageLocale, isolateText)
  } catch (error) {
    const { name } = LANGUAGES[language]
    logWarning(`The server's texts in ${name} could not be loaded; they are shown in English.`, error)
  }
}

/**
 * Returns a text of the server in the person's language, with the names that fields have on the screens. Until the
 * catalog is loaded, it stays English.
 */
export const serverText = (text: string): string => translate(text)
