import { describe, expect, test } from 'vitest'
import { EMPTY_SPOOL, readNewSpools, readSpoolEdit, withMaterial } from './spool-form.ts'

describe('defaults for a material', () => {
  test('withMaterial fills in density and temperatures', () => {
    expect(withMaterial(EMPTY_SPOOL, 'petg')).toEqual({
      material: 'petg',
      density_g_cm3: '1.27',
      nozzle_temp_c: '240',
      bed_temp_c: '80',
    })
    expect(withMaterial(EMPTY_SPOOL, 'TPU 95A')).toMatchObject({ density_g_cm3: '1.21', bed_temp_c: '50' })
  })

  test('withMaterial keeps values that the user corrected', () => {
    const form = { ...EMPTY_SPOOL, ...withMaterial(EMPTY_SPOOL, 'PLA'), nozzle_temp_c: '222' }
    expect(withMaterial(form, 'ASA')).toEqual({
      material: 'ASA',
      density_g_cm3: '1.05',
      nozzle_temp_c: '222',
      bed_temp_c: '100',
    })
  })

  test('withMaterial gives an unknown material the density of PLA and no temperatures', () => {
    expect(withMaterial(EMPTY_SPOOL, 'Moon dust')).toMatchObject({ density_g_cm3: '1.24', nozzle_temp_c: '' })
  })
})

describe('reading the form of new spools', () => {
  const form = { ...EMPTY_SPOOL, material: 'PLA' }

  test('readNewSpools leaves out empty fields, so that the server uses its defaults for them', () => {
    expect(readNewSpools(form).body).toMatchObject({
      material: 'PLA',
      weight_grams: 1000,
      count: 1,
      cost: null,
    })
    expect(readNewSpools(form).body).not.toHaveProperty('remaining_grams', expect.anything())
  })

  test('readNewSpools accepts a comma as the decimal separator', () => {
    expect(readNewSpools({ ...form, density_g_cm3: '1,31', cost: '19,99' }).body).toMatchObject({
      density_g_cm3: 1.31,
      cost: 19.99,
    })
  })

  test.each([
    [{ material: '  ' }, { material: 'Material is required' }],
    [{ weight_grams: '-1' }, { weight_grams: expect.stringContaining('more than 0') }],
    [{ cost: 'free' }, { cost: expect.stringContaining('a number') }],
    [{ count: '101' }, { count: expect.stringContaining('from 1 to 100') }],
    [{ color_hex: 'orange' }, { color_hex: 'Color must be written as #RRGGBB' }],
  ])('readNewSpools refuses %o with an error at the field', (part, errors) => {
    expect(readNewSpools({ ...form, ...part }).errors).toEqual(errors)
  })
})

describe('reading the form of an edited spool', () => {
  const form = { ...EMPTY_SPOOL, material: 'PLA', name: 'Basic', density_g_cm3: '1.24' }

  test('readSpoolEdit returns only the changed fields, and returns null for emptied fields', () => {
    expect(readSpoolEdit({ ...form, brand: 'Polymaker', cost: '' }, ['brand', 'cost']).body).toEqual({
      brand: 'Polymaker',
      cost: null,
    })
  })

  test('readSpoolEdit refuses to empty a required field', () => {
    expect(readSpoolEdit({ ...form, name: '', density_g_cm3: '' }, ['name', 'density_g_cm3']).errors).toEqual(
      {
        name: 'Name is required',
        density_g_cm3: 'Density is required',
      },
    )
  })
})
