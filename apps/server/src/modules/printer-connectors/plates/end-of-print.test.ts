import { describe, expect, it } from 'vitest'
import { type PrinterReading, type PrintRecord, printerWords } from '../connector.ts'
import { judgeEnd } from './follow-plate.ts'
import { slotsOfTools } from '../slots-of-tools.ts'
import { usedGrams } from '../used-filament.ts'
import { judgeMachine } from '../watch-machine.ts'

const OURS = 'j-00012-1-0a1b2c3d.gcode'
const reads = (
  state: PrinterReading['state'],
  file: string | null = null,
  message: string | null = null,
) => ({
  state,
  file,
  progress: null,
  minutesLeft: null,
  message,
})
const recalls = (outcome: PrintRecord['outcome']): PrintRecord => ({ outcome, used: null, minutes: null })

describe('the result of a print that has ended', () => {
  it.each([
    ['shown as finished', reads('finished', OURS), null, 0.4, true, null],
    [
      'remembered as finished, with another print on the screen',
      reads('printing', 'a.gcode'),
      recalls('finished'),
      0.4,
      true,
      null,
    ],
    ['remembered as finished after a restart', reads('idle'), recalls('finished'), 0.1, true, null],
    ['gone at its very end', reads('idle'), 'unknown', 0.99, true, /Check the pieces/],
    ['gone in its midst', reads('idle'), 'unknown', 0.5, false, /no longer shows/],
    [
      'cancelled at the screen',
      reads('cancelled', OURS),
      recalls('cancelled'),
      0.5,
      false,
      /cancelled at the printer/,
    ],
    ['lost with the power', reads('idle'), recalls('lost'), 0.5, false, /restarted/],
    [
      'ended by an error',
      reads('failed', OURS, 'Timer too close'),
      recalls('failed'),
      0.5,
      false,
      /Timer too close/,
    ],
    ['cut off by a machine in error', reads('failed', null, 'MCU lost'), null, 0.5, false, /MCU lost/],
  ] as const)(
    'the right result is found for a print that is %s',
    (_, reading, record, progress, isGood, sentence) => {
      const end = judgeEnd({ remote_name: OURS, progress }, reading, record, { isDue: false })
      expect(end.isGood).toBe(isGood)
      if (sentence === null) expect(end.sentence).toBeNull()
      else expect(end.sentence).toMatch(sentence)
    },
  )
})

describe('the state of a machine without a plate', () => {
  it.each([
    ['rests after a print by hand', reads('idle'), 'printing', 'vase.gcode has ended.', 'needs_clearing'],
    ['rests', reads('finished', 'vase.gcode'), 'offline', null, 'available'],
    ['is out of order', reads('failed'), 'available', null, 'error', null],
    ['is out of order with a full bed', reads('failed'), 'needs_clearing', null, 'error', 'Plate 1 failed.'],
    ['gets ready after it was offline', reads('busy'), 'offline', null, 'paused'],
    ['is busy for a moment', reads('busy'), 'needs_clearing', null, null],
  ] as const)(
    'a machine without a plate gets the right state if it %s',
    (_, reading, state, bedNote, next, note = null) => {
      const judged = judgeMachine(reading, {
        state,
        state_reason: 'Plate 1 failed.',
        bedNote,
        refusal: null,
        failedPrint: null,
        settledPrint: null,
        isUnseen: false,
      })
      expect([judged?.state ?? null, judged?.bedNote ?? null]).toEqual([next, note])
    },
  )

  it.each(['offline', 'error'] as const)(
    'a printer that refused a plate stays in error when it becomes ready after the state %s',
    (state) => {
      const known = {
        state,
        state_reason: 'Heater fault',
        bedNote: 'Clear the bed.',
        refusal: 'No space.',
        failedPrint: null,
        settledPrint: null,
        isUnseen: false,
      }
      expect(judgeMachine(reads('busy', null, 'Homing'), known)).toEqual({
        state: 'error',
        reason: 'No space.',
        bedNote: 'Clear the bed.',
      })
    },
  )
})

describe('the amount of filament that a print used', () => {
  const file = {
    object_key: 'k',
    file_name: 'a.gcode',
    format: 'gcode' as const,
    minutes: 90,
    job_code: 'J-00012',
    grams: 12,
    metres: 4,
    density_g_cm3: 1.24,
    diameter_mm: 1.75,
    plate: 1,
    tools: [],
    slots: [],
    is_any_color: false,
  }
  it.each([
    ['weighed by the printer', { grams: 14.904 }, file, 1, 14.9],
    ['a length, by the filament of the spool', { mm: 4000 }, file, 1, 11.93],
    ['a length, by the sliced file without a spool', { mm: 2000 }, { ...file, density_g_cm3: null }, 1, 6],
    ['the printed share of the sliced file', null, file, 0.25, 3],
    ['unknown', null, { ...file, grams: null }, 1, null],
    ['unknown without a file', { mm: 2000 }, null, 1, null],
  ] as const)('the used filament of a print is %s', (_, used, given, share, grams) => {
    expect(usedGrams(used, given, share)).toBe(grams)
  })
})

describe('which slot each tool prints from', () => {
  const slots = ['PLA', 'PETG', 'PLA', 'TPU'].map((material, index) => ({
    slot: index + 1,
    material,
    color_hex: null,
    remaining_grams: 100,
    is_chosen: index === 2,
  }))
  it.each([
    ['the chosen spool for the only tool', [[0, 'PLA']], slots, [[0, 3]]],
    ['the chosen spool for the only tool, whatever its number', [[3, 'PLA']], slots, [[3, 3]]],
    [
      'the own slot of another tool, if the material fits',
      [
        [0, 'PLA'],
        [1, 'petg'],
      ],
      slots,
      [
        [0, 3],
        [1, 2],
      ],
    ],
    [
      'another slot with the material',
      [
        [0, 'PLA'],
        [1, 'PLA'],
        [2, 'TPU'],
      ],
      slots,
      [
        [0, 3],
        [1, 1],
        [2, 4],
      ],
    ],
    [
      'the own slot if no slot has the material',
      [
        [0, 'PLA'],
        [1, 'ASA'],
      ],
      slots,
      [
        [0, 3],
        [1, 2],
      ],
    ],
    [
      'the slots in order if no spool was chosen',
      [
        [0, 'PLA'],
        [2, null],
      ],
      slots.map((slot) => ({ ...slot, is_chosen: false })),
      [
        [0, 1],
        [2, 3],
      ],
    ],
    ['no slot for a printer with one slot', [[0, 'PLA']], slots.slice(0, 1), null],
  ] as const)('the slots of the tools are %s', (_, tools, given, expected) => {
    const found = slotsOfTools({
      tools: tools.map(([tool, material]) => ({ tool, material, color_hex: null, grams: null })),
      slots: [...given],
      is_any_color: false,
    })
    expect(found && found.map(({ tool, slot }) => [tool, slot])).toEqual(expected)
  })
})

it("a printer's message becomes one short line without markup or control characters", () => {
  expect(printerWords('  <b>Heater\u0007\nfault</b>\u202e ')).toBe('b Heater fault /b')
  expect(printerWords('x'.repeat(5000))).toHaveLength(200)
  expect([printerWords(' \n'), printerWords(null)]).toEqual([null, null])
})
