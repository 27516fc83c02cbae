import { parse, type Token } from '@messageformat/parser'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '@pegasus/contracts/texts/languages'

const SOURCES = fileURLToPath(new URL('../../', import.meta.url))
/** A message: the first literal in a call of `t`, `rich` or `say`. The lint rule `pegasus/texts` requires a literal. */
const MESSAGE = /\b(?:t|rich|say)\(\s*(?:entry,\s*)?('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g

const unquote = (literal: string): string => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1')

const messages = new Set(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.') && !path.endsWith('i18n/messages.ts'))
    .flatMap((path) => [...readFileSync(SOURCES + path, 'utf8').matchAll(MESSAGE)])
    .map(([, literal = '']) => unquote(literal)),
)

const readCatalog = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`catalogs/${language}.json`, import.meta.url), 'utf8'))

/** Returns the names of the placeholders and tags, and the forms of each plural in a message. */
function partsOf(tokens: readonly Token[]): { names: string[]; plurals: string[][] } {
  const parts = tokens.map((token) => {
    if (token.type === 'content') return { names: token.value.match(/<\/?[a-z]\w*>/g) ?? [], plurals: [] }
    if (token.type === 'octothorpe') return { names: [], plurals: [] }
    if (!('cases' in token)) return { names: [token.arg], plurals: [] }
    const inner = token.cases.map((each) => partsOf(each.tokens))
    const forms = token.type === 'plural' ? [token.cases.map(({ key }) => key)] : []
    return {
      names: [token.arg, ...inner.flatMap(({ names }) => names)],
      plurals: [...forms, ...inner.flatMap(({ plurals }) => plurals)],
    }
  })
  return {
    names: [...new Set(parts.flatMap(({ names }) => names))].toSorted(),
    plurals: parts.flatMap(({ plurals }) => plurals),
  }
}

/** Returns the keys of each select in a message, without `other`. */
const selectKeysOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => {
    if (!('cases' in token)) return []
    const keys = token.type === 'select' ? token.cases.map(({ key }) => key) : []
    return [...keys, ...token.cases.flatMap((each) => selectKeysOf(each.tokens))].filter(
      (key) => key !== 'other',
    )
  })

test('the pattern finds the messages of the app, of which there are thousands', () => {
  expect(messages.size).toBeGreaterThan(3000)
})

test('no message is only a part of a sentence, because other languages need another word order', () => {
  expect([...messages].filter((message) => /^[\s,·]|\s$/.test(message))).toEqual([])
})

describe.each(Object.entries(LANGUAGES).filter(([code]) => code !== 'en'))(
  'the catalog of %s',
  (code, { locale }) => {
    const catalog = readCatalog(code)

    test('the catalog has a translation of each message, and no other', () => {
      expect([...messages].filter((message) => !catalog[message])).toEqual([])
      expect(Object.keys(catalog).filter((message) => !messages.has(message))).toEqual([])
    })

    test('the catalog keeps the placeholders and tags of each message, and no translation begins or ends with a space', () => {
      const wrong = Object.entries(catalog).filter(
        ([message, translation]) =>
          partsOf(parse(message)).names.join() !== partsOf(parse(translation)).names.join() ||
          translation !== translation.trim(),
      )
      expect(wrong).toEqual([])
    })

    test('each case of a select can occur: the source has it, or it is a number or a translated text', () => {
      const texts = new Set(Object.values(catalog))
      const wrong = Object.entries(catalog).filter(([message, translation]) => {
        const known = new Set(selectKeysOf(parse(message)))
        return selectKeysOf(parse(translation)).some(
          (key) => !known.has(key) && !texts.has(key) && !/^\d+$/.test(key),
        )
      })
      expect(wrong).toEqual([])
    })

    test('the catalog has all plural forms of its language', () => {
      const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
      const wrong = Object.entries(catalog).filter(([, translation]) =>
        partsOf(parse(translation)).plurals.some((keys) => forms.some((form) => !keys.includes(form))),
      )
      expect(wrong).toEqual([])
    })
  },
)
