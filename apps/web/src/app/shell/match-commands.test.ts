import { expect, it } from 'vitest'
import { commandsLike, commandsWith } from './match-commands.ts'

const COMMANDS = [
  { label: 'Go to Print Queue' },
  { label: 'New order', words: 'add enter sale customer' },
  { label: 'New print job', words: 'add queue print' },
  { label: 'New spool', words: 'add filament' },
  { label: 'Aufträge drucken' },
]

const labels = (commands: readonly { label: string }[]) => commands.map(({ label }) => label)

it('the palette finds commands by a part of their text, without case and accents', () => {
  expect(labels(commandsWith(COMMANDS, 'PRINT QU'))).toEqual(['Go to Print Queue'])
  expect(labels(commandsWith(COMMANDS, 'auftrage'))).toEqual(['Aufträge drucken'])
  expect(labels(commandsWith(COMMANDS, 'new ordr'))).toEqual([])
})

it.each([
  ['new ordr', ['New order']],
  ['prnt queue', ['Go to Print Queue', 'New print job']],
  ['add spol', ['New spool']],
  ['spool new', ['New spool']],
  ['nwe ordre', []],
  ['ordre', ['New order']],
  ['job 7', []],
  ['--', []],
])('the palette finds the commands for the mistyped text %j', (typed, expected) => {
  expect(labels(commandsLike(COMMANDS, typed))).toEqual(expected)
})
