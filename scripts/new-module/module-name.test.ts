import { expect, it } from 'vitest'
import { readModuleName } from './module-name.ts'

it('readModuleName returns each spelling of a name that the templates need', () => {
  expect(readModuleName('packing-stations')).toEqual({
    kebab: 'packing-stations',
    table: 'packing_stations',
    Many: 'PackingStations',
    One: 'PackingStation',
    many: 'packingStations',
    one: 'packingStation',
    manyText: 'packing stations',
    oneText: 'packing station',
  })
  expect(readModuleName('categories').one).toBe('category')
})

it('a module name that is not a plural noun in kebab case is refused', () => {
  for (const name of [undefined, '', 'printer', 'Printers', 'my_printers', '../printers', '-printers'])
    expect(() => readModuleName(name), String(name)).toThrow('Name the module with a plural noun')
})
