import { t } from './messages.ts'

interface NounTexts {
  /** The noun in the singular, inside a sentence: `print job`. */
  one: string
  /** The noun in the plural, inside a sentence: `print jobs`. */
  many: string
  /** The text of the link to the list: `All print jobs`. */
  all: string
  /** The title of a page whose address leads to no such thing: `Print job not found`. */
  notFound: string
  /** Returns the count with the noun: `3 print jobs`. */
  count: (count: number) => string
}

/**
 * The things that lists count and select, with their texts. Each text is written in full, because other languages
 * inflect the nouns.
 */
export const NOUNS = {
  customer: {
    one: t('customer'),
    many: t('customers'),
    all: t('All customers'),
    notFound: t('Customer not found'),
    count: (count) => t('{count, plural, one {# customer} other {# customers}}', { count }),
  },
  entry: {
    one: t('entry'),
    many: t('entries'),
    all: t('All entries'),
    notFound: t('Entry not found'),
    count: (count) => t('{count, plural, one {# entry} other {# entries}}', { count }),
  },
  item: {
    one: t('item'),
    many: t('items'),
    all: t('All items'),
    notFound: t('Item not found'),
    count: (count) => t('{count, plural, one {# item} other {# items}}', { count }),
  },
  key: {
    one: t('key'),
    many: t('keys'),
    all: t('All keys'),
    notFound: t('Key not found'),
    count: (count) => t('{count, plural, one {# key} other {# keys}}', { count }),
  },
  model: {
    one: t('model'),
    many: t('models'),
    all: t('All models'),
    notFound: t('Model not found'),
    count: (count) => t('{count, plural, one {# model} other {# models}}', { count }),
  },
  order: {
    one: t('order'),
    many: t('orders'),
    all: t('All orders'),
    notFound: t('Order not found'),
    count: (count) => t('{count, plural, one {# order} other {# orders}}', { count }),
  },
  part: {
    one: t('part'),
    many: t('parts'),
    all: t('All parts'),
    notFound: t('Part not found'),
    count: (count) => t('{count, plural, one {# part} other {# parts}}', { count }),
  },
  person: {
    one: t('person'),
    many: t('people'),
    all: t('All people'),
    notFound: t('Person not found'),
    count: (count) => t('{count, plural, one {# person} other {# people}}', { count }),
  },
  'print job': {
    one: t('print job'),
    many: t('print jobs'),
    all: t('All print jobs'),
    notFound: t('Print job not found'),
    count: (count) => t('{count, plural, one {# print job} other {# print jobs}}', { count }),
  },
  printer: {
    one: t('printer'),
    many: t('printers'),
    all: t('All printers'),
    notFound: t('Printer not found'),
    count: (count) => t('{count, plural, one {# printer} other {# printers}}', { count }),
  },
  product: {
    one: t('product'),
    many: t('products'),
    all: t('All products'),
    notFound: t('Product not found'),
    count: (count) => t('{count, plural, one {# product} other {# products}}', { count }),
  },
  spool: {
    one: t('spool'),
    many: t('spools'),
    all: t('All spools'),
    notFound: t('Spool not found'),
    count: (count) => t('{count, plural, one {# spool} other {# spools}}', { count }),
  },
} as const satisfies Record<string, NounTexts>

export type Noun = keyof typeof NOUNS
