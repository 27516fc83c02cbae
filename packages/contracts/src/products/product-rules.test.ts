import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import {
  findBasicsFaults,
  findProductFaults,
  productFields,
  readBulkTiers,
  parseTags,
  toSlug,
} from './product-rules.ts'

const GOOD = {
  name: ' Dragon ',
  slug: 'dragon',
  category: 'miniatures',
  price: 19.99,
  stock: 3,
  description: 'Breathes fire',
}

describe('deriving a slug from a name', () => {
  it.each([
    ['Dragon', 'dragon'],
    ['Red  Dragon', 'red-dragon'],
    ["Dragon's Lair! (Big)", 'dragons-lair-big'],
    ['My  Cool -- Product', 'my-cool-product'],
    ['a_b.c/d', 'abcd'],
    ['Café Größe', 'cafe-groe'],
    ['100% PLA', '100-pla'],
    [' Dragon ', 'dragon'],
    ['голова', ''],
    ['', ''],
    ['x'.repeat(300), 'x'.repeat(200)],
    [`${'x'.repeat(199)} dragon`, 'x'.repeat(199)],
  ])('toSlug turns %j into %j', (name, slug) => {
    expect(toSlug(name)).toBe(slug)
  })
})

it.each(['0x10', '0b1', '0o7', '1e3', '1_000', '1,5', 'Infinity', ''])(
  'a price or a stock that is typed as %j is refused, because nobody writes a decimal number like this',
  (text) => {
    expect(findProductFaults({ ...GOOD, price: text, stock: text })).toEqual([
      { field: 'price', message: 'Price must be a positive number' },
      { field: 'stock', message: 'Stock must be a non-negative number' },
    ])
  },
)

it.each([
  ['16', 16],
  [' 2.50 ', 2.5],
  ['.5', 0.5],
  ['+3', 3],
])('a price that is typed as %j is %d', (text, price) => {
  expect(z.parse(productFields, { ...GOOD, price: text })).toMatchObject({ price })
})

it('parseTags splits comma-separated tags and removes duplicates', () => {
  expect(parseTags(' mythic, , red,mythic ,')).toEqual(['mythic', 'red'])
})

describe('validating a product', () => {
  it('a product with only the basic fields is valid, with empty values in all other fields', () => {
    expect(z.parse(productFields, GOOD)).toEqual({
      ...GOOD,
      name: 'Dragon',
      tags: [],
      images: [],
      videos: [],
      posterUrl: null,
      bulkTiers: null,
      license: null,
      designer: null,
      designerUrl: null,
    })
  })

  it('product fields accept the strings of form inputs and convert them', () => {
    const typed = {
      price: '0',
      stock: '12',
      bulkTiers: '[{"quantity":"10","price":9.5}]',
      license: '',
      posterUrl: '',
    }
    expect(z.parse(productFields, { ...GOOD, ...typed, designer: ' ', designerUrl: '' })).toMatchObject({
      price: 0,
      stock: 12,
      bulkTiers: [{ quantity: 10, price: 9.5 }],
      license: null,
      posterUrl: null,
      designer: null,
      designerUrl: null,
    })
  })

  it.each([
    ['name', '', 'Product name is required'],
    ['name', '  ', 'Product name is required'],
    ['name', undefined, 'Product name is required'],
    ['name', null, 'Product name is required'],
    ['slug', '', 'Product slug is required'],
    ['slug', undefined, 'Product slug is required'],
    ['slug', 'Red Dragon', 'Slug must contain only lowercase letters, numbers, and hyphens'],
    ['slug', 'dragon_1', 'Slug must contain only lowercase letters, numbers, and hyphens'],
    ['category', '', 'Category is required'],
    ['category', undefined, 'Category is required'],
    ['category', 'toys', 'Category must be one of the categories offered'],
    ['price', '', 'Price must be a positive number'],
    ['price', null, 'Price must be a positive number'],
    ['price', undefined, 'Price must be a positive number'],
    ['price', -0.01, 'Price must be a positive number'],
    ['price', 'ten', 'Price must be a positive number'],
    ['price', Number.POSITIVE_INFINITY, 'Price must be a positive number'],
    ['stock', '', 'Stock must be a non-negative number'],
    ['stock', undefined, 'Stock must be a non-negative number'],
    ['stock', -1, 'Stock must be a non-negative number'],
    ['stock', 1.5, 'Stock must be a whole number'],
    ['description', ' ', 'Description is required'],
    ['description', undefined, 'Description is required'],
    ['bulkTiers', {}, 'Bulk tiers must be an array'],
    ['bulkTiers', '{}', 'Bulk tiers must be an array'],
    ['bulkTiers', '5', 'Bulk tiers must be an array'],
    ['bulkTiers', [{ quantity: 10, price: 9 }, { quantity: 20 }], 'Tier 2 must have quantity and price'],
    ['bulkTiers', [{ price: 9 }], 'Tier 1 must have quantity and price'],
    ['bulkTiers', [{ quantity: 0, price: 9 }], 'Tier 1 must have quantity and price'],
    ['bulkTiers', [{ quantity: 'many', price: 9 }], 'Tier 1 must have quantity and price'],
    ['bulkTiers', [null], 'Tier 1 must have quantity and price'],
    ['bulkTiers', [{ quantity: 1.5, price: 9 }], 'Tier 1 must have a whole number as quantity'],
    ['bulkTiers', '[{"quantity":10', 'Invalid JSON format for bulk tiers'],
    ['designerUrl', 'ann', 'Designer URL must be a valid URL'],
    ['designerUrl', 'javascript:alert(1)', 'Designer URL must be a valid URL'],
    ['designerUrl', 'https://ada:secret@example.com', 'Designer URL must be a valid URL'],
    [
      'images',
      ['https://ada:secret@example.com/a.jpg'],
      'The address must not contain a user name or a password',
    ],
    ['license', 'mit', 'License must be one of the licenses offered'],
    ['images', ['javascript:alert(1)'], 'Each image must be a web address'],
    ['images', ['//evil.example/a.jpg'], 'Each image must be a web address'],
    ['posterUrl', 'data:image/png;base64,AAAA', 'The poster must be a web address'],
    ['tags', 'a,b', 'Tags must be a list of words'],
  ])('a product with %s %j is invalid: %s', (field, value, message) => {
    expect(findProductFaults({ ...GOOD, [field]: value })).toEqual([{ field, message }])
  })

  it('each invalid field of a product is reported with exactly one error', () => {
    expect(findBasicsFaults({}).map(({ field }) => field)).toEqual([
      'name',
      'slug',
      'category',
      'price',
      'stock',
      'description',
    ])
  })
})

it('readBulkTiers returns different results for missing tiers and an empty list', () => {
  for (const none of [undefined, null, '', ' ', 'null'])
    expect(readBulkTiers(none)).toEqual({ ok: true, tiers: null })
  for (const empty of [[], '[]']) expect(readBulkTiers(empty)).toEqual({ ok: true, tiers: [] })
})
