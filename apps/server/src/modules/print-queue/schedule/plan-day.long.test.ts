import { describe, expect, it } from 'vitest'
import type { Candidate, JobRequirements, UnloadedSpool } from '../matching/requirements.queries.ts'
import { planDay } from './plan-day.ts'

const NOW = Date.parse('2026-03-02T08:00:00Z')
const MATERIALS = ['PLA', 'PETG', 'ASA', 'TPU']
const COLORS = ['Black', 'White', 'Red', 'Blue', 'Grey', 'Green']

const spool = (n: number) => ({
  id: `spool-${n}`,
  label: `S-${n}`,
  material: MATERIALS[n % 4] ?? '',
  product: 'PolyLite',
  color: COLORS[n % 6] ?? '',
  color_hex: null,
  printer_id: null,
  remaining_grams: 900,
})

const aPrinter = (n: number): Candidate =>
  ({
    id: `printer-${n}`,
    number: n,
    label_code: `P-${n}`,
    name: `Printer ${n}`,
    model: n % 2 ? 'MK4S' : 'Voron',
    model_key: n % 2 ? 'mk4s' : 'voron',
    kind: n % 3 ? 'prusalink' : 'manual',
    state: 'available',
    state_reason: null,
    state_until: null,
    state_until_day: null,
    finishes_at: null,
    takes_jobs: true,
    seen_at: null,
    silence_of: null,
    bed_mm: n % 5 ? [250, 210, 220] : [120, 120, 120],
    nozzle_mm: 0.4,
    has_stated: false,
    has_stated_bed: false,
    has_stated_nozzle: false,
    stated_materials: null,
    stated_file_types: null,
    progress: null,
    loaded: [0, 1].map((slot) => ({ slot: slot + 1, ...spool(n * 2 + slot) })),
    slot_count: 2,
    empty_slots: [],
    printing: null,
    running: null,
    first_assigned: null,
  }) as Candidate

const aSlice = (n: number, model: string) => ({
  id: `slice-${n}-${model}`,
  printer_model: model,
  printer_model_key: model.toLowerCase(),
  nozzle_mm: 0.4,
  bed_mm: null,
  file_name: 'part.gcode',
  grams: 30,
  minutes: 30 + (n % 300),
  plates_per_print: 1,
  pieces: 2,
  format: 'gcode' as const,
  tools: [{ tool: 0, material: MATERIALS[n % 4] ?? '', color_hex: null, grams: 30 }],
})

const aJob = (n: number): JobRequirements => ({
  id: `job-${n}`,
  label_code: `J-${n}`,
  status: 'pending',
  hold_reason: null,
  quantity: 4,
  good_quantity: 0,
  rejected_quantity: 0,
  running_pieces: 0,
  is_given_up: false,
  pieces_per_plate: 2,
  slice_id: null,
  match_strictness: n % 3 ? 'exact' : 'any_color',
  assigned_printer_id: n % 10 ? null : `printer-${n % 50}`,
  assigned_anyway: false,
  priority: 1 + (n % 5),
  position: n * 1024,
  created_at: new Date(NOW - n * 60_000).toISOString(),
  due_at: n % 2 ? new Date(NOW + (n % 20) * 3_600_000).toISOString() : null,
  estimated_minutes: 100,
  stl_file_id: 'model',
  material: MATERIALS[n % 4] ?? '',
  color: COLORS[n % 6] ?? '',
  spool_label: null,
  spool_id: null,
  product: null,
  estimated_grams: 100,
  size_mm: [100 + (n % 100), 90, 40],
  model_format: 'stl',
  slices: [aSlice(n, 'MK4S'), aSlice(n, 'Voron')],
})

describe('the speed of the planner', () => {
  it('the planner plans 1,000 jobs of two plates on 50 printers in less than 200 ms', () => {
    const jobs = Array.from({ length: 1000 }, (_, n) => aJob(n))
    const printers = Array.from({ length: 50 }, (_, n) => aPrinter(n))
    // There are a hundred spools of each product, and the printers have as many slots.
    const unloaded: UnloadedSpool[] = Array.from({ length: 1200 }, (_, n) => spool(1000 + n))
    const times = Array.from({ length: 20 }, () => {
      const begun = performance.now()
      planDay({ requirements: jobs, candidates: printers, unloaded }, NOW)
      return performance.now() - begun
    })
    const runs = planDay({ requirements: jobs, candidates: printers, unloaded }, NOW)
    expect(runs.reduce((sum, { plates }) => sum + plates, 0)).toBeGreaterThan(1000)
    const [, , , , , , , , , , median = Infinity] = times.toSorted((a, b) => a - b)
    console.log(`planned in ${median.toFixed(1)} ms (median), ${Math.max(...times).toFixed(1)} ms (longest)`)
    expect(median).toBeLessThan(200)
  })
})
