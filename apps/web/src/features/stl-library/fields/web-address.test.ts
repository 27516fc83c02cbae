import { expect, test } from 'vitest'
import { webAddress } from './web-address.ts'

test.each([
  ['https://example.org/a?b=1', { href: 'https://example.org/a?b=1', text: 'example.org/a?b=1' }],
  ['http://example.org/', { href: 'http://example.org/', text: 'example.org' }],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['example.org', null],
])('the web address %s is shown as %o', (text, expected) => {
  expect(webAddress(text)).toEqual(expected)
})
