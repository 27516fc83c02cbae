import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse, type Token } from '@messageformat/parser'
import { ALERT_KIND_NAMES, alertSentence } from '@pegasus/contracts/alerts/alert-texts'
import { HOSTED_AUTH_ERRORS } from '@pegasus/contracts/errors/hosted-auth-errors'
import { HOSTED_STORAGE_ERRORS } from '@pegasus/contracts/errors/hosted-storage-errors'
import { OWN_API_ERRORS } from '@pegasus/contracts/errors/own-api-errors'
import { SHOP_NOTES } from '@pegasus/contracts/orders/shop-notes'
import { CANCEL_REASONS } from '@pegasus/contracts/print-queue/cancel-reasons'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '@pegasus/contracts/texts/languages'
import { createTextTranslator } from '@pegasus/contracts/texts/text-patterns'
import { serverText } from './server-texts.ts'

const CONTRACTS = fileURLToPath(new URL('../../../../../packages/contracts/src/', import.meta.url))
/** Invalid values of many kinds, because some messages depend on the value. */
const VALUES = [undefined, '', 'x', 'x'.repeat(5000), 'ftp://x', 'https://a@b.example', -1, 0.5, 1e12, [], {}]

interface SchemaParts {
  def: Readonly<Record<string, unknown>> & { error?: (issue: object) => unknown }
}

/** Adds the messages of all schemas in a value, nested ones included, to `messages`. */
function collectMessages(value: unknown, messages: Set<string>, seen: Set<unknown>): void {
  if (value === null || typeof value !== 'object' || seen.has(value)) return
  seen.add(value)
  const schema = (value as { _zod?: SchemaParts })._zod
  const { error, ...parts } = schema?.def ?? (value as SchemaParts['def'])
  if (schema && error)
    for (const input of VALUES) {
      const message = error({ code: 'custom', input, path: [], issues: [] })
      if (typeof message === 'string') messages.add(message)
    }
  for (const part of Object.values(parts)) collectMessages(part, messages, seen)
}

async function readContractMessages(): Promise<string[]> {
  const messages = new Set<string>()
  const seen = new Set<unknown>()
  for (const path of readdirSync(CONTRACTS, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.ts') && !path.includes('.test.'))
      collectMessages({ ...(await import(CONTRACTS + path)) }, messages, seen)
  return [...messages]
}

const errorTexts = [
  ...Object.values(OWN_API_ERRORS).map(([, message]) => message),
  ...Object.values(HOSTED_AUTH_ERRORS).map(([, , message]) => message),
  ...Object.values(HOSTED_STORAGE_ERRORS).map(([, , , , message]) => message),
]
const contractMessages = await readContractMessages()

const ORDER = { customer_name: 'Ada', pieces: 3, missing: 0, due_at: '2026-12-01T00:00:00Z' }
const PARCEL = { customer_name: '', pieces: 1, carrier: 'DHL', tracking_number: '7' }
const alertTexts = [
  ...Object.values(ALERT_KIND_NAMES),
  'Backup',
  'WEB-1 and 2 more',
  ...(
    [
      { kind: 'low_stock', facts: { sku: 'HOOK', quantity: 1200, reorder_point: 1500 } },
      { kind: 'job_finished', facts: { label_code: 'J-00001', quantity: 3, good_quantity: 2 } },
      { kind: 'printer_error', facts: { label_code: 'P-01', reason: null } },
      { kind: 'job_failed', facts: { label_code: 'J-00001', quantity: 3, reason: 'Warped' } },
      { kind: 'publication_failed', facts: { reason: null } },
      { kind: 'new_order', facts: ORDER },
      { kind: 'order_overdue', facts: { ...ORDER, missing: 2 } },
      { kind: 'order_shipped', facts: PARCEL },
      { kind: 'order_cancelled', facts: ORDER },
    ] as const
  ).map((alert) => alertSentence({ title: '', ...alert })),
]

/** The notes of shops. The value is the number of a parcel, or a list of pieces. */
const shopNotes = Object.values(SHOP_NOTES).map((write) => write('7'))

/** The buttons that resolve the reason why a job waits (`print-queue/matching` of the server). */
const waitActionLabels = [
  'Add a printer',
  'Add a spool',
  'Clear the plate',
  'End maintenance',
  'Enter the material',
  'Enter the nozzle',
  'Load S-0042',
  'Print in Galaxy Black',
  'Put back into use',
  'Requeue',
  'Slice for this printer',
]

const readCatalog = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(`${CONTRACTS}texts/server.${language}.json`, 'utf8'))

/** Returns the names of the placeholders, and the forms of each plural. */
function partsOf(tokens: readonly Token[]): { names: string[]; plurals: string[][] } {
  const parts = tokens.map((token) => {
    if (!('arg' in token)) return { names: [], plurals: [] }
    if (!('cases' in token)) return { names: [token.arg], plurals: [] }
    const inner = token.cases.map((each) => partsOf(each.tokens))
    return {
      names: [token.arg, ...inner.flatMap(({ names }) => names)],
      plurals: [token.cases.map(({ key }) => key), ...inner.flatMap(({ plurals }) => plurals)],
    }
  })
  return {
    names: parts.flatMap(({ names }) => names),
    plurals: parts.flatMap(({ plurals }) => plurals),
  }
}

test('the tests find the messages of the contracts, of which there are more than 600', () => {
  expect(contractMessages.length).toBeGreaterThan(600)
})

test('no message of the contracts begins with the name that a field has in the API', () => {
  expect(contractMessages.map(serverText).filter((text) => /^[a-z]+(_[a-z]+)+ /.test(text))).toEqual([])
})

describe.each(Object.entries(LANGUAGES).filter(([code]) => code !== 'en'))(
  "the catalog of the server's texts in %s",
  (code, { locale }) => {
    const catalog = readCatalog(code)
    const translate = createTextTranslator(catalog, locale)
    const untranslated = (texts: readonly string[]) => texts.filter((text) => translate(text) === text)

    test('the server catalog has a translation of each error', () => {
      expect(untranslated(errorTexts)).toEqual([])
    })

    test('the server catalog has a translation of each message of the contracts', () => {
      expect(untranslated(contractMessages)).toEqual([])
    })

    test('the server catalog has a translation of each alert', () => {
      expect(untranslated(alertTexts)).toEqual([])
    })

    test('the server catalog has a translation of each note of a shop', () => {
      expect(untranslated(shopNotes)).toEqual([])
    })

    test('the name of a customer is not translated, even if it is a word of the catalog', () => {
      for (const text of [
        '1 piece for Key',
        '2 pieces for Key · 1 missing',
        'Was due 2026-12-01 · 2 pieces for Key',
        'Pieces for this order are still being printed · Key',
      ]) {
        expect(translate(text)).toContain('Key')
        expect(translate(text.replace('Key', 'a customer'))).not.toContain('a customer')
      }
    })

    test('the server catalog has a translation of the error of the auth client for a session in a URL', () => {
      expect(untranslated(['No session defined in URL'])).toEqual([])
    })

    test('the server catalog has a translation of each button that resolves why a job waits', () => {
      expect(untranslated(waitActionLabels)).toEqual([])
    })

    test('a printer that prints without a job is described without English words', () => {
      for (const text of ['Prints something else', 'Paused with something else'])
        for (const end of ['.', ', 42 % done.']) expect(translate(text + end)).not.toMatch(/[a-z]+ else|done/)
    })

    test('the server catalog has a translation of each reason for which the app cancels a print job', () => {
      expect(untranslated(Object.values(CANCEL_REASONS))).toEqual([])
    })

    test('the server catalog has the same texts as those of the other languages', () => {
      expect(Object.keys(catalog)).toEqual(Object.keys(readCatalog('de')))
    })

    test('each translation in the server catalog has only placeholders of its text, and all plural forms of its language', () => {
      const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
      const wrong = Object.entries(catalog).filter(([text, translation]) => {
        const { names, plurals } = partsOf(parse(translation))
        return (
          names.some((name) => !text.includes(`{${name}}`) && !text.includes(`{${name}, `)) ||
          plurals.some((keys) => forms.some((form) => !keys.includes(form)))
        )
      })
      expect(wrong).toEqual([])
    })
  },
)
