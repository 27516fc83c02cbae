import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinterSetup, anAssignedJob, setupState } from '../../../../test/support/network-printers.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'

/** Makes the storage hang when it is asked for the size of an object, until `mend` is called. */
function hangStorage(storage: ObjectStorage) {
  const { stat } = storage
  const asked = Promise.withResolvers<void>()
  const mended = Promise.withResolvers<void>()
  let isHanging = false
  storage.stat = async (key) => {
    isHanging = true
    asked.resolve()
    await mended.promise
    return stat.call(storage, key)
  }
  const mend = (): void => {
    storage.stat = stat
    mended.resolve()
  }
  return { asked: asked.promise, isHanging: () => isHanging, mend }
}

describe('a visit of a printer that hangs', () => {
  it('a visit of a printer that hangs is abandoned after its time limit, counts as a failure, and sends no more requests', async () => {
    const lines: string[] = []
    const limits = { visitMs: 1500 }
    const app = await buildTestApp({
      devices: { limits },
      logTo: { write: (line) => void lines.push(line) },
    })
    const setup = await aPrinterSetup(app, 'moonraker')
    const { machine, requests } = setup.printer
    const jobId = await anAssignedJob(app, setup)
    const storage = hangStorage(app.storage)
    // On a slow machine, the time limit may pass before the visit reaches the storage, so try again.
    do await app.printers.run()
    while (!storage.isHanging())
    const [connection] = await app.database.sql`
      select claimed_by, failures > 0 as is_failed, ask_after > now() + interval '6 seconds' as is_postponed
      from printer_connections`
    expect(connection).toEqual({ claimed_by: null, is_failed: true, is_postponed: true })
    expect(lines.join('')).toContain('a visit of a printer was put off')
    expect((await setupState(app, setup, jobId)).plates).toMatchObject([{ state: 'sending' }])

    limits.visitMs = 60_000
    storage.mend()
    await app.printers.run()
    expect((await setupState(app, setup, jobId)).plates).toMatchObject([{ state: 'printing' }])
    expect([machine.files.size, machine.prints.length]).toEqual([1, 1])
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([
      'POST /server/files/upload',
      'POST /printer/print/start',
    ])
    const [after] = await app.database.sql`select failures from printer_connections`
    expect(after).toEqual({ failures: 0 })
  })

  it.each(['moonraker', 'bambu'] as const)(
    'a visit of a printer that hangs does not keep the server from stopping: %s',
    async (kind) => {
      const app = await buildTestApp()
      const setup = await aPrinterSetup(app, kind)
      const jobId = await anAssignedJob(app, setup)
      const storage = hangStorage(app.storage)
      const visited = app.printers.run()
      await storage.asked
      await app.printers.stop()
      await visited
      const [connection] = await app.database.sql`select claimed_by from printer_connections`
      expect(connection).toEqual({ claimed_by: null })
      expect((await setupState(app, setup, jobId)).plates).toMatchObject([{ state: 'sending' }])
      storage.mend()
    },
  )
})
