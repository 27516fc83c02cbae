import type { Spool } from '@pegasus/contracts/filament/spools'
import { expect, test } from 'vitest'
import { woundRadius } from '@/components/ui/charts/remaining-ring.tsx'
import { lengthLeft, shareLeft, spoolNames, spoolNote } from './spool-details.ts'

const NOW = Date.parse('2026-11-21T06:00:00Z')

const aSpool = (spool: Partial<Spool> = {}): Spool => ({
  id: '0198c0de-0000-7000-8000-000000000001',
  number: 142,
  label_code: 'S-0142',
  material: 'PLA',
  brand: 'Polymaker',
  name: 'PolyLite',
  color: 'Bone White',
  color_hex: '#E9E6DD',
  diameter_mm: 1.75,
  density_g_cm3: 1.24,
  weight_grams: 1000,
  spool_weight_grams: null,
  remaining_grams: 1000,
  cost: null,
  location: null,
  lot_number: null,
  status: 'active',
  nozzle_temp_c: null,
  bed_temp_c: null,
  opened_at: null,
  last_used_at: null,
  dried_at: null,
  drying_interval_days: null,
  low_stock_grams: null,
  notes: null,
  queued_jobs: 0,
  queued_grams: 0,
  revision: 1,
  created_at: '2026-11-01T06:00:00Z',
  updated_at: '2026-11-01T06:00:00Z',
  deleted_at: null,
  ...spool,
})

test.each<[Partial<Spool>, string]>([
  [{}, 'Sealed'],
  [{ queued_jobs: 2, queued_grams: 412 }, '2 jobs need 412\u00A0g'],
  [{ queued_jobs: 1, queued_grams: 54.7 }, '1 job needs 55\u00A0g'],
  [{ queued_jobs: 1, queued_grams: 0.2, status: 'empty' }, 'Nothing left'],
  [{ status: 'empty', remaining_grams: 0 }, 'Nothing left'],
  [{ dried_at: '2026-11-19T06:00:00Z' }, 'Dried 2 days ago'],
  [{ drying_interval_days: 1, dried_at: '2026-11-19T06:00:00Z' }, 'Needs drying, last 2 days ago'],
  [{ remaining_grams: 400 }, 'Not needed by the queue'],
])('the note on a spool with %o is “%s”', (spool, expected) => {
  expect(spoolNote(aSpool(spool), NOW)).toBe(expected)
})

test('the title of a spool is its color, or its name if there is no color', () => {
  expect(spoolNames(aSpool())).toEqual({ title: 'Bone White', caption: 'Polymaker PolyLite' })
  expect(spoolNames(aSpool({ color: '' }))).toEqual({ title: 'PolyLite', caption: 'Polymaker' })
  expect(spoolNames(aSpool({ name: 'Bone White', brand: null })).caption).toBe('')
})

test('the remaining share of a spool stays between 0 and 1', () => {
  expect(shareLeft(aSpool({ remaining_grams: 1100 }))).toBe(1)
  expect(shareLeft(aSpool({ weight_grams: 0 }))).toBe(0)
  expect(lengthLeft(aSpool())).toBe('≈ 335 m')
})

test("the filament drawn on a half-full spool covers half of the area of a full spool's filament, not half of its width", () => {
  expect([woundRadius(0), woundRadius(1)]).toEqual([18, 36.5])
  expect(woundRadius(0.5) ** 2 - 18 ** 2).toBeCloseTo((36.5 ** 2 - 18 ** 2) / 2)
})
