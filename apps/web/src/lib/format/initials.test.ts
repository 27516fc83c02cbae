import { expect, it } from 'vitest'
import { initialsOf } from './initials.ts'

it.each([
  ['Maximiliane von Hohenberg-Wójcik', 'MH'],
  ['  ada  ', 'A'],
  ['okonkwo.j', 'OJ'],
  ['j-o_sullivan', 'JS'],
  ['محمد العلي', 'ما'],
  ['Ólafur Þór', 'ÓÞ'],
  // Two code points that form one letter.
  ['e\u0301lodie n', 'E\u0301N'],
  ['👩‍🔧 Ops', '👩‍🔧O'],
  ['...', ''],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
