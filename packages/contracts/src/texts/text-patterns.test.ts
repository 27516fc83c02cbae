import { expect, test } from 'vitest'
import { createTextTranslator } from './text-patterns.ts'

const translate = createTextTranslator(
  {
    'Not found.': 'Nicht gefunden.',
    'Bin location': 'Fach',
    '{field, text} must be text': '{field}: bitte Text angeben',
    '{field, text} can have at most {max, number} characters': '{field}: höchstens {max} Zeichen',
    '{pieces, number} pieces': '{pieces, plural, one {# Stück} other {# Stück}}',
    'Only {pieces, text} of {title} are free.': 'Von {title} sind nur {pieces} frei.',
    '{count, number} for order {order}': '{count} für Bestellung {order}',
    'Others are reserved: {holders, list}.': 'Andere sind reserviert: {holders}.',
    'Out of use until {until, day}.': 'Außer Betrieb bis {until}.',
    '{title} is full (50%).': '{title} ist voll (50 %).',
  },
  'de-DE',
)

test.each([
  ['Not found.', 'Nicht gefunden.'],
  ['Bin location must be text', 'Fach: bitte Text angeben'],
  ['bin_count must be text', 'bin_count: bitte Text angeben'],
  ['Bin location can have at most 10,000 characters', 'Fach: höchstens 10.000 Zeichen'],
  ['Only 1,284 pieces of Hook {M} are free.', 'Von Hook {M} sind nur 1.284 Stück frei.'],
  ['Only 3 pieces of Bin location are free.', 'Von Bin location sind nur 3 Stück frei.'],
  [
    'Others are reserved: 2 for order A, 3 for order B and 1 more.',
    'Andere sind reserviert: 2 für Bestellung A, 3 für Bestellung B und 1 more.',
  ],
  ['A\nB is full (50%).', 'A\nB ist voll (50 %).'],
  ['Out of use until Friday 27 November.', 'Außer Betrieb bis Freitag, 27. November.'],
  ['Out of use until Thursday 29 February.', 'Außer Betrieb bis Donnerstag, 29. Februar.'],
  ['Out of use until Friday 31 June.', 'Außer Betrieb bis Friday 31 June.'],
])('the text %s is shown as %s', (text, shown) => {
  expect(translate(text)).toBe(shown)
})

test.each(['A new text.', 'name can have at most ten characters', 'constructor', ''])(
  'the text %j stays English, because no pattern matches',
  (text) => {
    expect(translate(text)).toBe(text)
  },
)
