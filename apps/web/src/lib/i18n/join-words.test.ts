import { expect, test } from 'vitest'
import { joinWords } from './join-words.ts'

test.each([
  [[], ''],
  [['title'], 'title'],
  [['title', 'tags'], 'title and tags'],
  [['title', 'tags', 'license'], 'title, tags, and license'],
])('the words %j are joined to %j', (words, joined) => {
  expect(joinWords(words)).toBe(joined)
})
