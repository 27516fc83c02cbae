import { describe, expect, it } from 'vitest'
import type { Protocol } from '../../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { rowsRead } from '../../../../test/support/database/rows-read.ts'
import {
  aPrinterSetup,
  anAssignedJob,
  clearBed,
  setupState,
} from '../../../../test/support/network-printers.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'
import { listGivenUpFiles, listOldFiles } from '../dispatches.queries.ts'

/** Time after which a start no longer leads to a print. */
const LATER_MS = 4 * MINUTE_MS
const UPLOAD = 'POST /server/files/upload'
const START = 'POST /printer/print/start'
/** Number of files whose removal was given up. */
const GIVEN_UP = 2000
const REMOVE = { moonraker: 'DELETE ', octoprint: 'DELETE ', prusalink: 'DELETE ', bambu: 'FTP DELE' }

/** Creates an app with a printer that already holds a file of somebody else, and with an assigned job. */
async function aPrinterWithFile(kind: Protocol) {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind)
  const { machine, faults, requests } = setup.printer
  machine.upload('vase.gcode', Buffer.from(''))
  const jobId = await anAssignedJob(app, setup)
  const round = () => app.printers.run()
  const end = async (how: 'cancel' | 'fail') => {
    const url = `/api/print-queue/${jobId}/${how}`
    const payload = { reason: 'Came loose' }
    const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
    expect(answer.statusCode).toBe(200)
  }
  const removals = () => requests.filter((line) => line.startsWith(REMOVE[kind])).length
  const names = () => [...machine.files.keys()]
  return { app, setup, jobId, machine, faults, round, end, removals, names, printer: setup.printer }
}

describe('the files that the server has sent to a printer', () => {
  it.each(['moonraker', 'octoprint', 'prusalink', 'bambu'] as const)(
    'the file of a print is removed from a %s printer once its pieces are counted, and no other file is',
    async (kind) => {
      const { app, setup, jobId, machine, round, removals, names } = await aPrinterWithFile(kind)
      await round()
      machine.advance(200)
      await round()
      await round()
      expect((await setupState(app, setup, jobId)).plates).toMatchObject([{ state: 'printed' }])
      expect([names().length, removals()]).toEqual([2, 0])
      await clearBed(app, setup)
      await round()
      await round()
      expect([names(), removals()]).toEqual([['vase.gcode'], 1])
      const { job, printer, stock } = await setupState(app, setup, jobId)
      expect([job.status, printer.state, stock]).toEqual(['completed', 'available', 1])
    },
  )

  it.each(['moonraker', 'bambu'] as const)(
    'a %s printer that does not remove a file is asked again every ten minutes, five times at most, and keeps printing',
    async (kind) => {
      const { app, setup, jobId, machine, faults, round, removals, names } = await aPrinterWithFile(kind)
      await round()
      machine.advance(200)
      await round()
      await clearBed(app, setup)
      faults.push({ kind: 'refused', only: REMOVE[kind], status: 403 })
      await round()
      await round()
      expect([names().length, removals()]).toEqual([2, 1])
      const next = await anAssignedJob(app, setup)
      await round()
      const state = async (id: string) => (await setupState(app, setup, id)).job.status
      expect([await state(jobId), await state(next)]).toEqual(['completed', 'in_progress'])
      for (let nth = 0; nth < 6; nth += 1) {
        app.clock.advance(10 * MINUTE_MS)
        await round()
      }
      expect([names().length, removals()]).toEqual([3, 5])
    },
  )

  it.each([true, false])(
    'a file whose removal was given up gets one more attempt when another file is removed (removed: %s)',
    async (isRemoved) => {
      const { app, setup, machine, faults, round, removals, names, printer } =
        await aPrinterWithFile('prusalink')
      const print = async () => {
        await round()
        machine.advance(200)
        await round()
        await clearBed(app, setup)
      }
      await print()
      const [old = ''] = names().filter((name) => name !== 'vase.gcode')
      faults.push({ kind: 'refused', only: REMOVE.prusalink, status: 409 })
      for (let nth = 0; nth < 6; nth += 1) {
        await round()
        app.clock.advance(10 * MINUTE_MS)
      }
      expect(removals()).toBe(5)
      faults.length = 0
      const removal = printer.requests.find((line) => line.startsWith(REMOVE.prusalink)) ?? ''
      if (!isRemoved) faults.push({ kind: 'refused', only: removal, status: 409 })
      for (let nth = 0; nth < 2; nth += 1) {
        await anAssignedJob(app, setup)
        await print()
        await round()
        app.clock.advance(10 * MINUTE_MS)
      }
      expect([names().includes(old), names().length, removals()]).toEqual([!isRemoved, isRemoved ? 1 : 2, 8])
    },
  )

  it('a file is removed in a later visit after the printer was unreachable, or had already lost it', async () => {
    const { app, setup, machine, faults, round, removals, names } = await aPrinterWithFile('prusalink')
    await round()
    machine.advance(200)
    await round()
    await clearBed(app, setup)
    faults.push({ kind: 'lost', only: 'DELETE ', times: 1 })
    await round()
    machine.files.delete(names().find((name) => name !== 'vase.gcode') ?? '')
    app.clock.advance(10 * MINUTE_MS)
    await round()
    await round()
    expect([names(), removals()]).toEqual([['vase.gcode'], 2])
  })

  it('a file stays while nobody knows whether it was printed, and is removed when its print was stopped and booked', async () => {
    const { app, setup, jobId, machine, faults, round, end, removals, names } =
      await aPrinterWithFile('octoprint')
    faults.push({ kind: 'lost', only: 'POST /api/files/local/', times: 1 })
    await round()
    await round()
    expect((await setupState(app, setup, jobId)).plates).toMatchObject([{ state: 'sending' }])
    await end('cancel')
    await round()
    expect(removals()).toBe(0)
    app.clock.advance(LATER_MS)
    await round()
    await round()
    expect(removals()).toBe(0)
    await clearBed(app, setup)
    await round()
    await round()
    expect([names(), removals(), machine.prints]).toEqual([['vase.gcode'], 1, []])
  })

  it.each(['cancel', 'fail'] as const)(
    'the file of a running print that a person ends (%s) is removed after the print has stopped and is booked',
    async (how) => {
      const { app, setup, jobId, machine, round, end, names } = await aPrinterWithFile('moonraker')
      await round()
      machine.advance(45)
      await round()
      await end(how)
      for (let nth = 0; nth < 4; nth += 1) await round()
      expect(names()).toEqual(['vase.gcode'])
      expect((await setupState(app, setup, jobId)).booked).toHaveLength(1)
    },
  )

  it('the file of a failed print is removed while Klipper still shows its error, but not while Klipper is out of order', async () => {
    const { app, setup, jobId, machine, round, names, removals } = await aPrinterWithFile('moonraker')
    const stateOf = async () => (await setupState(app, setup, jobId)).printer.state
    await round()
    machine.advance(45)
    await round()
    machine.fail('Must home axis first')
    for (let nth = 0; nth < 2; nth += 1) await round()
    expect([names(), removals(), await stateOf()]).toEqual([['vase.gcode'], 1, 'error'])
    for (const step of ['clear', 'resume']) {
      const url = `/api/printers/${setup.printerId}/${step}`
      const headers = await app.as('staff')
      expect((await app.http.inject({ method: 'POST', url, headers, payload: {} })).statusCode).toBe(200)
    }
    await anAssignedJob(app, setup)
    await round()
    machine.off()
    for (let nth = 0; nth < 2; nth += 1) await round()
    expect([names().length, removals(), await stateOf()]).toEqual([2, 1, 'error'])
    machine.on()
    await round()
    expect([names(), removals()]).toEqual([['vase.gcode'], 2])
  })

  it('the file of a refused start and an incomplete upload are removed', async () => {
    const { app, setup, jobId, machine, faults, printer, round, names } = await aPrinterWithFile('moonraker')
    faults.push({ kind: 'lost-answer', only: UPLOAD, times: 1 })
    printer.watch = (request, phase) => {
      if (phase !== 'after' || !request.startsWith(UPLOAD)) return
      printer.watch = null
      for (const file of machine.files.values()) file.sizeBytes -= 1
    }
    await round()
    faults.push({ kind: 'refused', only: START, status: 409, times: 1 })
    await round()
    expect((await setupState(app, setup, jobId)).plates).toMatchObject([{ state: 'cancelled' }])
    await round()
    expect(names()).toEqual(['vase.gcode'])
  })

  it('an old file that somebody starts at the machine during an upload is not removed', async () => {
    const { app, setup, machine, faults, printer, round, removals, names } =
      await aPrinterWithFile('moonraker')
    await round()
    machine.advance(200)
    await round()
    await clearBed(app, setup)
    faults.push({ kind: 'refused', only: REMOVE.moonraker, status: 403, times: 1 })
    await round()
    expect(removals()).toBe(1)
    const old = names().find((name) => name !== 'vase.gcode') ?? ''
    app.clock.advance(10 * MINUTE_MS)
    await anAssignedJob(app, setup)
    printer.watch = (request, phase) => {
      if (phase !== 'after' || !request.startsWith(UPLOAD)) return
      printer.watch = null
      machine.start(old, 'machine')
    }
    await round()
    expect([names().includes(old), removals(), machine.prints.at(-1)?.by]).toEqual([true, 1, 'machine'])
    machine.advance(200)
    await round()
    await clearBed(app, setup)
    await round()
    await round()
    // The plate gave way to the other print, so its file was never started and is removed, too. The job is printed with
    // a new file.
    expect([names().includes(old), names().length, removals()]).toEqual([false, 2, 3])
  })

  it.each(['refused six times', 'never sent'])(
    'the search for old files does not read the files that were %s, however many there are',
    async (which) => {
      const { app, setup, jobId } = await aPrinterWithFile('moonraker')
      const isRefused = which !== 'never sent'
      await app.database.sql`
        with plates as (
          insert into job_plates (id, print_job_id, number, printer_id, state, pieces, started_at, finished_at)
          select gen_random_uuid(), ${jobId}, n, ${setup.printerId}, 'done', 1, now(), now()
          from generate_series(1, ${GIVEN_UP}) n returning id
        )
        insert into plate_dispatches (plate_id, printer_id, remote_name, upload_begun_at, closed_at, created_at, removals)
        select id, ${setup.printerId}, id::text, case when ${isRefused} then now() end, now(), now(),
               case when ${isRefused} then 6 else 0 end
        from plates`
      await app.database.sql`analyze plate_dispatches`
      const options = { printing: null, now: app.clock.now(), limit: 3 }
      const rows = await rowsRead(app, 'plate_dispatches', async (tx) => {
        expect(await listOldFiles(tx, setup.printerId, options)).toEqual([])
        expect(await listGivenUpFiles(tx, setup.printerId, options)).toEqual([])
      })
      expect(rows).toBe(0)
    },
  )
})
