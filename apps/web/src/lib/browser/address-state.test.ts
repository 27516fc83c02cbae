import { expect, test } from 'vitest'
import { readOneOf, readText, withParams } from './address-state.ts'

const address = (text: string) => new URLSearchParams(text)

test('withParams writes values that readText reads back, and removes the parameter of an empty value', () => {
  const set = withParams(address('tab=orders&order=1'), { search: 'a & b', status: 'pending', order: null })
  expect(set.toString()).toBe('tab=orders&search=a+%26+b&status=pending')
  expect(readText(set, 'search')).toBe('a & b')
  expect(withParams(set, { search: '', status: null }).toString()).toBe('tab=orders')
})

test('a URL parameter with a value outside its allowed set is ignored', () => {
  expect(readOneOf(address('status=pending'), 'status', ['pending', 'done'])).toBe('pending')
  expect(readOneOf(address('status=constructor'), 'status', ['pending', 'done'])).toBeNull()
  expect(readOneOf(address(''), 'status', ['pending'])).toBeNull()
})
