import { expect, it } from 'vitest'
import { visualOrder } from './visual-order.ts'

it.each([
  ['Hook 12 (A)', ['Hook 12 (A)']],
  ['壁 12', ['壁 12']],
  ['מתלה קיר', ['קיר', ' ', 'מתלה']],
  ['קיר 12.5', ['12.5', ' ', 'קיר']],
  ['קיר 12 (A)', ['(', 'A', ')', ' ', '12', ' ', 'קיר']],
  ['Hook קיר (גדול)', ['Hook ', 'גדול', ')', ' ', 'קיר', ')']],
  ['Hook קיר 12 mm', ['Hook ', '12', ' ', 'קיר', ' mm']],
  ['حامل جدار', ['جدار', ' ', 'حامل']],
])('the parts of %j are printed from left to right as %j', (text, parts) => {
  expect(visualOrder(text)).toEqual(parts)
})
