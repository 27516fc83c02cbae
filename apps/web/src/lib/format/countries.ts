import { LANGUAGES } from '@pegasus/contracts/texts/languages'
import { languageLocale } from '../i18n/languages.ts'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Codes with a name that are not countries: unions, pseudo-locales, and the unknown region. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])
/** Usual names that differ from the names of the locale data. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  'united states of america': 'US',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  turkey: 'TR',
}

const namesIn = (locale: string, style: 'long' | 'short' = 'long') =>
  new Intl.DisplayNames([locale], { type: 'region', style, fallback: 'none' })

const NAMES = namesIn(languageLocale)

/** Replaces an outdated code, such as UK by GB. */
const currentCode = (code: string): string => new Intl.Locale('und', { region: code }).region ?? code

const isCountry = (code: string): boolean => NAMES.of(code) !== undefined && !NO_COUNTRIES.has(code)

/** Ignores case, accents, dots and surplus spaces. */
const normalized = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}.]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

let codesByName: ReadonlyMap<string, string> | undefined

/** Maps the names of all countries, in each language of the app, to their codes. */
function readCodes(): ReadonlyMap<string, string> {
  const codes = new Map(Object.entries(OTHER_NAMES))
  const names = Object.values(LANGUAGES).flatMap(({ locale }) => [namesIn(locale), namesIn(locale, 'short')])
  for (const code of countryCodes())
    for (const each of names) {
      const name = normalized(each.of(code) ?? '')
      if (!codes.has(name)) codes.set(name, code)
    }
  return codes
}

const countryCodes = (): string[] =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => isCountry(code) && currentCode(code) === code,
  )

/**
 * Returns the code (ISO 3166-1 alpha-2) of a country that a person typed: its code, or its name in one of the app's
 * languages. Null if no country has this code or name.
 */
export function countryCode(text: string): string | null {
  const code = text.trim().toUpperCase()
  if (/^[A-Z]{2}$/.test(code) && isCountry(code)) return currentCode(code)
  codesByName ??= readCodes()
  return codesByName.get(normalized(text)) ?? null
}

/** Returns the name of a country in the person's language; the code itself if no country has it. */
export const countryName = (code: string): string => NAMES.of(code) ?? code

/** Returns the names of all countries in the person's language, in alphabetical order. */
export const countryNames = (): string[] =>
  countryCodes().map(countryName).toSorted(new Intl.Collator(languageLocale).compare)
