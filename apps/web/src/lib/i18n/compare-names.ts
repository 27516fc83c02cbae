import { languageLocale } from './languages.ts'

/** Compares two names in the order of the person's language. Numbers in names are compared by their values. */
export const compareNames = new Intl.Collator(languageLocale, { numeric: true, sensitivity: 'base' }).compare
