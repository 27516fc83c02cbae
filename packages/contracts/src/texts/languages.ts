/** The languages that people can choose. The texts of the code are English; each other language has catalogs. */
export const LANGUAGES = {
  en: { name: 'English', locale: 'en-US', direction: 'ltr' },
  de: { name: 'Deutsch', locale: 'de-DE', direction: 'ltr' },
  he: { name: 'עברית', locale: 'he-IL', direction: 'rtl' },
} as const satisfies Record<string, { name: string; locale: string; direction: 'ltr' | 'rtl' }>

export type Language = keyof typeof LANGUAGES

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value)

/**
 * Returns the language that a person has chosen: the field `language` of the account's metadata. English for a
 * person who has not chosen one.
 */
export function languageOf(metadata: Readonly<Record<string, unknown>> | null | undefined): Language {
  const language = metadata?.['language']
  return isLanguage(language) ? language : 'en'
}
