import { expect, test } from 'vitest'
import { viewerCommand } from './viewer-keys.ts'

const press = (key: string, modifiers: { ctrlKey?: boolean } = {}) =>
  viewerCommand({ key, altKey: false, ctrlKey: false, metaKey: false, ...modifiers })

test('the viewer fits, turns and zooms the model with the keys F, 1 to 6, the arrows, plus and minus', () => {
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
