import { expect, test } from 'vitest'
import { gravestWarning, isAboutUnits, shortWarning, splitCommands } from './model-warnings.ts'

test('a known warning has words that fit on a picture', () => {
  expect(shortWarning({ code: 'open-edges', message: '576 edges are open.' })).toBe('Not watertight')
})

test('a size that looks wrong is shown with its figure', () => {
  const message = '0.2 mm tall: was the model drawn in inches?'
  expect(shortWarning({ code: 'units-inches', message })).toBe('0.2 mm tall: units?')
})

test('a warning that is not known yet is cut from its sentence', () => {
  expect(shortWarning({ code: 'new', message: 'Walls are thin: 0.2 mm in places.' })).toBe('Walls are thin')
  expect(shortWarning({ code: 'new', message: 'A very long sentence that would never fit there' })).toBe(
    'A very long sentence that…',
  )
})

test('only warnings about units carry the ruler', () => {
  expect(isAboutUnits({ code: 'units-inches', message: '' })).toBe(true)
  expect(isAboutUnits({ code: 'open-edges', message: '' })).toBe(false)
})

test('where there is room for one, it is the one that keeps a print from succeeding', () => {
  const odd = { code: 'extra-bytes', message: 'One byte too many.' }
  const grave = { code: 'open-edges', message: '3 open edges.' }
  expect(gravestWarning([odd, grave])).toBe(grave)
  expect(gravestWarning([odd])).toBe(odd)
  expect(gravestWarning([])).toBeNull()
})

test('commands for a slicer are one matter, wherever in the file they stand', () => {
  const command = { code: 'slicer-command', message: '"Metadata/in.zip" makes slicers run a program.' }
  const odd = { code: 'extra-bytes', message: 'One byte too many.' }
  expect(splitCommands([command, odd, { ...command, message: 'elsewhere' }])).toEqual([
    [command, { ...command, message: 'elsewhere' }],
    [odd],
  ])
  expect(shortWarning(command)).toBe('Slicer command')
})
