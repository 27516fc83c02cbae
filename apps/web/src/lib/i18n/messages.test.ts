import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { formatMessage, formatParts } from '@pegasus/contracts/texts/message-format'
import { rich, t } from './messages.ts'

describe('messages', () => {
  test.each([
    ['Save', {}, 'Save'],
    ["The shop doesn't respond.", {}, "The shop doesn't respond."],
    ['Delete {name}?', { name: 'Wall hook' }, 'Delete Wall hook?'],
    ['{size}{note}', { size: 3, note: null }, '3'],
    ['{isOpen}, {isDone}', { isOpen: true, isDone: undefined }, ', '],
    ['{count, plural, one {# piece} other {# pieces}}', { count: 1 }, '1 piece'],
    ['{count, plural, one {# piece} other {# pieces}}', { count: 1284 }, '1,284 pieces'],
    ['{count, plural, =0 {none} one {# piece} other {# pieces}} left', { count: 0 }, 'none left'],
    ["Use '{name}' as it is, {name}", { name: 'x' }, 'Use {name} as it is, x'],
    ['{a} < {b}', { a: 1, b: 2 }, '1 < 2'],
  ])('the message %s with %j is shown as %s', (message, values, shown) => {
    expect(t(message, values)).toBe(shown)
  })

  test('plural forms and numbers follow the locale of the message', () => {
    const message = '{n, plural, one {# סליל} two {שני סלילים} other {# סלילים}}'
    expect([1, 2, 3].map((n) => formatMessage(message, { n }, 'he-IL'))).toEqual([
      '1 סליל',
      'שני סלילים',
      '3 סלילים',
    ])
    const german = '{n, plural, one {# Spule} other {# Spulen}}'
    expect(formatMessage(german, { n: 1284 }, 'de-DE')).toBe('1.284 Spulen')
  })

  test('a message that is not in ICU format is an error', () => {
    expect(() => formatParts('{name', {}, 'en-US')).toThrow('Unexpected message end')
    expect(() => formatParts('{day, date, short}', { day: 1 }, 'en-US')).toThrow(
      /do not use the format "date"/,
    )
  })

  test('a rich message puts elements in place of its values and around the text between its tags', () => {
    const text = rich(
      'Set <code>{name}</code> for {person}, <b>{n, plural, one {# try} other {# tries}}</b>.',
      {
        name: 'PORT',
        person: createElement('bdi', null, 'Ada'),
        n: 2,
        code: (inner) => createElement('code', null, inner),
        b: (inner) => createElement('b', null, inner),
      },
    )
    expect(renderToStaticMarkup(text)).toBe('Set <code>PORT</code> for <bdi>Ada</bdi>, <b>2 tries</b>.')
  })

  test('markup in the value of a rich message is shown as text', () => {
    const text = rich('{name} <b>x</b>', { name: '<b>y</b>', b: (inner) => createElement('b', null, inner) })
    expect(renderToStaticMarkup(text)).toBe('&lt;b&gt;y&lt;/b&gt; <b>x</b>')
  })

  test('a tag without a function in a rich message is an error', () => {
    expect(() => rich('<b>x</b>', {})).toThrow('the tag <b> has no function')
  })
})
