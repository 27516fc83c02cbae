import { foldText } from '@pegasus/contracts/texts/fuzzy'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { createTestItem } from '../../../test/support/create-test-item.ts'
import { anItem } from '../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../actor.ts'
import { findSearchWords, withSimilarWords } from './search-words.queries.ts'

it('an item with a new word does not wait for another transaction that adds the word', async () => {
  const app = await buildTestApp()
  const { database } = app
  const by = { actor: SYSTEM_ACTOR, now: app.clock.now() }
  await database.transaction(async (tx) => {
    await createTestItem(tx, { name: 'Zyxdragon one', quantity: 0 }, by)
    // Another connection adds this item.
    await anItem(app, { name: 'Zyxdragon two', quantity: 0 })
  })
  const words = await database.sql`select from search_words where word = 'zyxdragon'`
  expect(words).toHaveLength(1)
})

it.each(['Ærø', 'ẞ', 'Œuvre', 'Łódź', 'Nguyễn'])(
  'the database and the code fold the letters of a word alike: %s',
  async (word) => {
    const { database } = await buildTestApp()
    const [row] = await database.sql<[{ folded: string }]>`select fold_text(${word}) as folded`
    expect(row.folded).toBe(foldText(word))
    expect(row.folded).toMatch(/^[a-z]+$/)
  },
)

/** The correct word is not among these. Each of them has one typing error. */
const HEBREW = { wrong: 'דרקוז', missing: 'דרקן', extra: 'דרקוון', swapped: 'דקרון', first: 'הרקון' }

it.each(Object.entries(HEBREW))(
  'a Hebrew word is found although it has a typing error: %s',
  async (_, typed) => {
    const app = await buildTestApp()
    const { sql } = app.database
    await anItem(app, { name: 'דרקון', quantity: 0 })
    const similar = await withSimilarWords(sql, await findSearchWords(sql, typed))
    expect(similar?.[0]?.patterns).toContain('%דרקון%')
  },
)

const WORDS = 5000

it('a mistyped Hebrew word is not compared with all words', async () => {
  const app = await buildTestApp()
  await app.database.transaction(async (tx) => {
    // Add random words of six Hebrew letters.
    await tx`
      insert into search_words (word)
      select string_agg(chr(1488 + ((n * 7919 + at * 104729) / (at * at + 1)) % 22), '' order by at)
      from generate_series(1, ${WORDS}::int) n, generate_series(1, 6) at group by n on conflict do nothing`
    await tx`analyze search_words`
    const reads = () => tx<{ read: string }[]>`
      select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'search_words'`
    const [before] = await reads()
    await withSimilarWords(tx, await findSearchWords(tx, 'שלוםםם'))
    const [after] = await reads()
    expect(Number(after?.read) - Number(before?.read)).toBeLessThan(WORDS / 5)
  })
})
