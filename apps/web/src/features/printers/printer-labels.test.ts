import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, test } from 'vitest'
import { partColor, printerNote, progressOf } from './printer-labels.ts'

const STARTED = '2026-01-05T10:00:00.000Z'
const at = (minutes: number) => Date.parse(STARTED) + minutes * 60_000

const aPrinter = (fields: object = {}, job: object = {}) =>
  ({
    kind: 'manual',
    state: 'printing',
    state_reason: null,
    finishes_at: null,
    progress: 0,
    current_job: { started_at: STARTED, estimated_minutes: 120, ...job },
    ...fields,
  }) as Printer

test('the progress of a manually started print is estimated from the time and stops at 99 %', () => {
  expect(progressOf(aPrinter(), at(30))).toBe(0.25)
  expect(printerNote(aPrinter(), at(30))).toBe('1 h 30 min left')
  expect(progressOf(aPrinter(), at(500))).toBe(0.99)
  expect(printerNote(aPrinter(), at(500))).toBe('should be done')
})

test('a printer that prints shows the reason for its state, with the time left if it is known', () => {
  const again =
    'The printer refused the request with status 503. The server will send the file again in a minute, attempt 2 of 3.'
  const sending = aPrinter({ kind: 'moonraker', progress: null, state_reason: again })
  expect(printerNote(sending, at(1))).toBe(again)
  const paused = { kind: 'moonraker', state: 'paused', state_reason: 'Filament runout' }
  expect(printerNote(aPrinter({ ...paused, finishes_at: '2026-01-05T11:00:00.000Z' }), at(30))).toBe(
    '30 min left · Filament runout',
  )
  expect(printerNote(aPrinter({ kind: 'moonraker' }), at(30))).toBe('Started 30 min. ago')
  const byHand = 'Prints boat.gcode, which was started at the machine.'
  expect(printerNote(aPrinter({ kind: 'moonraker', current_job: null, state_reason: byHand }), at(1))).toBe(
    byHand,
  )
})

test('a printer that needs clearing shows why', () => {
  const printed = { state: 'needs_clearing' }
  expect(printerNote(aPrinter(printed), at(1))).toBe('Take the plate off, then press Done')
  const unseen = 'The server did not see the end of this print. Check the pieces.'
  expect(printerNote(aPrinter({ ...printed, state_reason: unseen }), at(1))).toBe(unseen)
})

test('no progress is estimated if a print is paused or has no print time, or if the printer reports its progress', () => {
  expect(progressOf(aPrinter({ state: 'paused', progress: null }), at(30))).toBeNull()
  expect(progressOf(aPrinter({ progress: null }, { estimated_minutes: null }), at(30))).toBeNull()
  expect(progressOf(aPrinter({ kind: 'moonraker', progress: 0.1 }), at(30))).toBe(0.1)
  expect(progressOf(aPrinter({ progress: 0.5, current_job: null }), at(30))).toBeNull()
})

test('a part has the color of the loaded spools, unless they have several colors', () => {
  const slots = (...colors: (string | null)[]) =>
    ({
      slots: colors.map((hex, n) => ({
        slot: n + 1,
        filament_id: hex === null ? null : 'spool',
        color_hex: hex,
      })),
    }) as Printer
  expect(partColor(slots('#1d4ed8'))).toBe('#1d4ed8')
  expect(partColor(slots('#1d4ed8', null, '#1d4ed8'))).toBe('#1d4ed8')
  expect(partColor(slots('#1d4ed8', '#000000'))).toBeNull()
  expect(partColor(slots(null))).toBeNull()
})
