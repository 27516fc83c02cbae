import { expect, test } from 'vitest'
import { gravestWarning, isAboutUnits, shortWarning, splitCommands } from './model-warnings.ts'

test('a known model warning has a short text that fits on a picture', () => {
  expect(shortWarning({ code: 'open-edges', message: '576 edges are open.' })).toBe('Not watertight')
})

test('the short warning about an unusual model size contains the size', () => {
  const message = '0.2 mm tall: was the model drawn in inches?'
  expect(shortWarning({ code: 'units-inches', message })).toBe('0.2 mm tall: units?')
})

test('an unknown model warning is shortened to the start of its sentence', () => {
  expect(shortWarning({ code: 'new', message: 'Walls are thin: 0.2 mm in places.' })).toBe('Walls are thin')
  expect(shortWarning({ code: 'new', message: 'A very long sentence that would never fit there' })).toBe(
    'A very long sentence that…',
  )
})

test('only model warnings about units have the ruler icon', () => {
  expect(isAboutUnits({ code: 'units-inches', message: '' })).toBe(true)
  expect(isAboutUnits({ code: 'open-edges', message: '' })).toBe(false)
})

test('only the most serious model warning is shown if there is room for one', () => {
  const odd = { code: 'extra-bytes', message: 'One byte too many.' }
  const grave = { code: 'open-edges', message: '3 open edges.' }
  expect(gravestWarning([odd, grave])).toBe(grave)
  expect(gravestWarning([odd])).toBe(odd)
  expect(gravestWarning([])).toBeNull()
})

test('several slicer commands in one model are shown as a single warning', () => {
  const command = { code: 'slicer-command', message: '"Metadata/in.zip" makes slicers run a program.' }
  const odd = { code: 'extra-bytes', message: 'One byte too many.' }
  expect(splitCommands([command, odd, { ...command, message: 'elsewhere' }])).toEqual([
    [command, { ...command, message: 'elsewhere' }],
    [odd],
  ])
  expect(shortWarning(command)).toBe('Slicer command')
})
