import { expect, test } from 'vitest'
import { viewerCommand } from './viewer-keys.ts'

const press = (key: string, modifiers: { ctrlKey?: boolean } = {}) =>
  viewerCommand({ key, altKey: false, ctrlKey: false, metaKey: false, ...modifiers })

test('in the viewer, F fits the view, 1 to 6 select a side, arrows turn the model, and plus and minus zoom', () => {
  expect(press('f')).toEqual({ kind: 'fit' })
  expect(press('5')).toMatchObject({ kind: 'look', direction: { name: 'top' } })
  expect(press('ArrowLeft')).toMatchObject({ kind: 'turn', leftDegrees: 10 })
  expect(press('+')).toMatchObject({ kind: 'zoom', factor: 1.25 })
})

test('the viewer does not handle shortcuts of the browser', () => {
  expect(press('f', { ctrlKey: true })).toBeNull()
  expect(press('7')).toBeNull()
  expect(press('Tab')).toBeNull()
})
