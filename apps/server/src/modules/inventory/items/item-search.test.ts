import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { addedItem, callsOf } from '../../../../test/support/api-calls.ts'
import { findSearchWords } from '../../../platform/search/search-words.queries.ts'
import { searchItemIds, hasWord } from './item-search.queries.ts'

const NAMES = [
  '50% infill cube',
  'M3_washer',
  'Ärmel',
  'Gear 😀',
  'back\\slash',
  'a "quoted" {set}, x',
  'Qi plate',
]

it('the item search finds words of one or two letters, of any alphabet, in every searched text', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  for (const [n, name] of NAMES.entries())
    await addedItem(staff, { name, sku: `SKU-${n}`, location: n === 0 ? 'Zz' : null })
  const found = async (search: string) => {
    const answer = await staff(`GET /api/inventory?search=${encodeURIComponent(search)}&sort=name`)
    const names = answer.json<InventoryItem[]>().map(({ name }) => name)
    expect(answer.headers['x-total-count']).toBe(String(names.length))
    return names.toSorted((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b))
  }
  // The text in which the search looks for each item. Only the first item has a location.
  const texts = NAMES.map((name, n) => `${name} SKU-${n} I-0000${n + 1}${n === 0 ? ' Zz' : ''}`.toLowerCase())
  for (const words of [
    '%',
    '_',
    '\\',
    '{',
    '"',
    '",',
    'ä',
    '😀',
    'q',
    'qi',
    'M3',
    '3_',
    '0%',
    'zz',
    'x',
    'a i',
    'ku',
    'Zz 5',
    '--',
  ])
    expect([words, await found(words)]).toEqual([
      words,
      NAMES.filter((_, n) =>
        words
          .toLowerCase()
          .split(' ')
          .every((word) => texts[n]?.includes(word)),
      ),
    ])
})

it('the item search uses an index for a rare short word, and reads items in order for a frequent word', async () => {
  const { database } = await buildTestApp()
  const planOf = (search: string) =>
    database.transaction(async (tx) => {
      const words = await searchItemIds(tx, await findSearchWords(tx, search))
      const asked = words.reduce((all, word) => tx`${all} and ${hasWord(tx, word, 'index')}`, tx``)
      const rows = await tx<{ 'QUERY PLAN': string }[]>`
        explain select 1 from items i where i.deleted_at is null ${asked} limit 1001`
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  await database.sql`
    insert into items (id, name, sku, reorder_point, max_stock, created_at, updated_at)
    select gen_random_uuid(), 'Wall hook', 'SKU-' || n, 5, 100, now(), now() from generate_series(1, 3000) n`
  await database.sql`vacuum analyze items`
  for (const rare of ['%', '_', 'q', 'zz', '% hook', 'a %'])
    expect([rare, await planOf(rare)]).toEqual([rare, expect.stringContaining('items_short_words')])
  for (const frequent of ['a', 'ku', 'al wa'])
    expect([frequent, await planOf(frequent)]).toEqual([
      frequent,
      expect.not.stringContaining('items_short_words'),
    ])
})
