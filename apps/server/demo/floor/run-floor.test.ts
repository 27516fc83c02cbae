import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../test/support/build-test-app.ts'
import { aSpool } from '../../test/support/stock-factories.ts'
import type { Ask } from '../sign-in.ts'
import { DEMO_NETWORK_PRINTERS } from './network-printers.ts'
import { loadSpools } from './run-floor.ts'

it('every printer of the demo has a spool with the material of its prints, even if the shop has too few', async () => {
  const app = await buildTestApp()
  const headers = await app.as('admin')
  const ask: Ask = async (method, url, payload) => {
    const answer = await app.http.inject({ method, url, headers, ...(payload && { payload }) })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.json()
  }
  const spoolId = await aSpool(app, { material: 'PLA', remainingGrams: 800 })
  for (const { name } of DEMO_NETWORK_PRINTERS) await ask('POST', '/api/printers', { name })
  await loadSpools(ask)
  await loadSpools(ask)
  const slots = (await ask<Printer[]>('GET', '/api/printers?sort=number')).flatMap((printer) => printer.slots)
  expect(slots.map(({ material }) => material)).toEqual(DEMO_NETWORK_PRINTERS.map(() => 'PLA'))
  expect(slots[0]?.filament_id).toBe(spoolId)
  const [spools] = await app.database.sql`select count(*)::int as all from spools`
  expect(spools).toEqual({ all: DEMO_NETWORK_PRINTERS.length })
})
