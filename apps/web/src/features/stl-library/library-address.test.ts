import { describe, expect, test } from 'vitest'
import { hasFilters, readFilters, withFilters, withModel } from './library-address.ts'

const address = (text: string) => new URLSearchParams(text)

describe('filters in the address', () => {
  test('what was applied is read back', () => {
    const params = withFilters(address('tab=stl-library'), { search: ' base & arm ', license: 'CC BY-NC' })
    expect(params.get('tab')).toBe('stl-library')
    expect(readFilters(params)).toEqual({ search: 'base & arm', license: 'CC BY-NC' })
  })

  test('cleared filters leave nothing behind', () => {
    const params = withFilters(address('tab=stl-library&search=x&license=CC0'), { search: '', license: null })
    expect(params.toString()).toBe('tab=stl-library')
    expect(hasFilters(readFilters(params))).toBe(false)
  })

  test('a licence that does not exist filters by none', () => {
    expect(readFilters(address('license=WTFPL')).license).toBeNull()
  })

  test('opening and leaving a model keeps the filters', () => {
    const opened = withModel(address('tab=stl-library&search=arm'), 'abc')
    expect(opened.toString()).toBe('tab=stl-library&search=arm&model=abc')
    expect(withModel(opened, null).toString()).toBe('tab=stl-library&search=arm')
  })
})
