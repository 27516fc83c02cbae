import { describe, expect, test } from 'vitest'
import {
  hasFilters,
  type LibraryFilters,
  NO_FILTERS,
  readFilters,
  readSort,
  searchQueryOf,
  withTrash,
  withFilters,
  withModel,
  withSavedSearch,
  withSort,
} from './library-address.ts'

const address = (text: string) => new URLSearchParams(text)

const EVERYTHING: LibraryFilters = {
  search: 'base & arm',
  license: 'CC BY-NC',
  tags: ['robot arm', 'jig'],
  material: 'PETG',
  fits: '220x220x250.5',
  isWatertight: true,
  isProduct: false,
  sale: 'unknown',
  format: '3mf',
  uploader: 'mira',
  from: '2026-01-31',
  to: '2026-11-21',
}

describe('filters in the URL', () => {
  test('applied filters of the model library are read back from the URL', () => {
    const params = withFilters(address('tab=stl-library'), EVERYTHING)
    expect(params.get('tab')).toBe('stl-library')
    expect(readFilters(address(params.toString()))).toEqual(EVERYTHING)
    expect(hasFilters(EVERYTHING)).toBe(true)
  })

  test('cleared filters of the model library leave nothing in the URL', () => {
    const params = withFilters(withFilters(address('tab=stl-library'), EVERYTHING), NO_FILTERS)
    expect(params.toString()).toBe('tab=stl-library')
    expect(hasFilters(readFilters(params))).toBe(false)
  })

  test('a filter of the model library can have the value “no” as well as “yes”', () => {
    expect(hasFilters({ ...NO_FILTERS, isProduct: false })).toBe(true)
  })

  test('an unknown filter value in the URL of the model library is ignored', () => {
    const strange = 'license=WTFPL&fits=0x220x250&watertight=maybe&sale=1&format=exe&from=2026-13-45&to=now'
    expect(readFilters(address(strange))).toEqual(NO_FILTERS)
  })

  test('opening and leaving a model keeps the filters of the library', () => {
    const opened = withModel(address('tab=stl-library&search=arm'), 'abc')
    expect(opened.toString()).toBe('tab=stl-library&search=arm&model=abc')
    expect(withModel(opened, null).toString()).toBe('tab=stl-library&search=arm')
  })

  test('opening and leaving the trash keeps the filters of the library', () => {
    const trash = withTrash(address('tab=stl-library&search=arm'), true)
    expect(trash.get('view')).toBe('bin')
    expect(withTrash(trash, false).toString()).toBe('tab=stl-library&search=arm')
  })
})

describe('the order in the URL', () => {
  test('the model library is sorted by relevance during a search, and newest first without a search', () => {
    expect(readSort(address('search=arm'))).toBe('relevance')
    expect(readSort(address(''))).toBe('newest')
    expect(readSort(address('sort=relevance'))).toBe('newest')
    expect(readSort(address('search=arm&sort=title'))).toBe('title')
  })

  test('the order of the model library is in the URL only if it was chosen', () => {
    expect(withSort(address('search=arm'), 'newest').toString()).toBe('search=arm&sort=newest')
    expect(withSort(address('search=arm&sort=newest'), 'relevance').toString()).toBe('search=arm')
  })
})

describe('a saved search', () => {
  test('a saved search of the model library restores only the filters and the order', () => {
    const now = withSort(withFilters(address('tab=stl-library&upload=1'), EVERYTHING), 'largest')
    const query = searchQueryOf(now)
    expect(query).not.toContain('tab=')
    const opened = withSavedSearch(address('tab=stl-library&search=other&sort=title'), query)
    expect(readFilters(opened)).toEqual(EVERYTHING)
    expect(readSort(opened)).toBe('largest')
    expect(opened.get('tab')).toBe('stl-library')
  })
})
