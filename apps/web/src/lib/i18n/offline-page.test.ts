import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '@pegasus/contracts/texts/languages'

const read = (name: string) => readFileSync(new URL(`../../../public/${name}`, import.meta.url), 'utf8')

test('the offline page has a translation of each of its texts', () => {
  const script = read('offline.js')
  const texts = [...read('offline.html').matchAll(/>([^<>]*[a-z][^<>]*)</g)].map(([, text = '']) =>
    text.trim(),
  )
  expect(texts).toContain('You are offline')
  const others = Object.keys(LANGUAGES).length - 1
  expect(texts.filter((text) => script.split(`'${text}':`).length - 1 !== others)).toEqual([])
})
