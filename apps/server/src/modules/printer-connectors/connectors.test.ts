import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { aRemote } from '../../../test/servers/remote-server.ts'
import {
  PRINTER_KEY,
  type Protocol,
  type SimulatedPrinter,
  aPrint,
  simulatedPrinters,
} from '../../../test/servers/simulated-printers.ts'
import { type DeviceLimits, createDeviceCall } from '../../platform/outbound/device-call.ts'
import { connectPrinter } from './connect-printer.ts'
import type { PrinterConnector } from './connector.ts'

const KINDS: readonly Protocol[] = ['moonraker', 'octoprint', 'prusalink']
const FILE = 'j-00012-2-x7k2.gcode'
const BYTES = aPrint({ minutes: 90, mm: 4000 })

const connected = (
  kind: Protocol,
  address: string,
  options: { apiKey?: string; limits?: Partial<DeviceLimits> } = {},
): PrinterConnector =>
  connectPrinter(
    { kind, address, apiKey: options.apiKey ?? PRINTER_KEY },
    {
      call: createDeviceCall({
        resolve: () => Promise.resolve(['127.0.0.1']),
        limits: { answerMs: 20_000, ...options.limits },
      }),
    },
  )

async function aPrinter(
  kind: Protocol,
  options: { apiKey?: string; limits?: Partial<DeviceLimits> } = {},
): Promise<{ printer: SimulatedPrinter; connector: PrinterConnector }> {
  const [printer] = await simulatedPrinters([kind])
  if (!printer) throw new Error('no printer')
  return { printer, connector: connected(kind, printer.url, options) }
}

const send = (connector: PrinterConnector, bytes = BYTES) =>
  connector.upload(FILE, { stream: Readable.from([bytes]), sizeBytes: bytes.length })

describe.each(KINDS)('a printer with the protocol of %s', (kind) => {
  it('the connector sends a file, prints it, pauses and continues the print, and reports the used filament', async () => {
    const { printer, connector } = await aPrinter(kind)
    expect(await connector.readState()).toMatchObject({ state: 'idle', file: null })
    expect(await connector.findFile(FILE)).toBeNull()
    await send(connector)
    expect(await connector.findFile(FILE)).toEqual({ sizeBytes: BYTES.length })
    expect((await connector.readState()).state).toBe('idle')
    expect([null, 'unknown']).toContainEqual(await connector.findPrint(FILE))

    await connector.start(FILE)
    printer.machine.advance(45)
    expect(await connector.readState()).toEqual({
      state: 'printing',
      file: FILE,
      progress: 0.5,
      minutesLeft: 45,
      message: null,
    })
    expect(await connector.findPrint(FILE)).toMatchObject({ outcome: 'running', minutes: 45 })
    await connector.pause()
    printer.machine.advance(10)
    expect(await connector.readState()).toMatchObject({ state: 'paused', file: FILE, progress: 0.5 })
    await connector.resume()
    printer.machine.advance(45)
    expect(await connector.readState()).toMatchObject({ state: 'finished', file: FILE })
    const record = await connector.findPrint(FILE)
    expect(record).toMatchObject({ outcome: 'finished', minutes: 90 })
    const used = typeof record === 'object' ? record?.used : null
    expect(used && 'mm' in used ? used.mm : used?.grams).toBeCloseTo(used && 'mm' in used ? 4000 : 14.9, 1)
    expect(printer.machine.prints).toHaveLength(1)
  })

  it('the connector refuses a second start, and reports a print that was started by hand', async () => {
    const { printer, connector } = await aPrinter(kind)
    await send(connector)
    printer.machine.upload('vase.gcode', aPrint())
    printer.machine.start('vase.gcode', 'machine')
    expect(await connector.readState()).toMatchObject({ state: 'printing', file: 'vase.gcode' })
    await expect(connector.start(FILE)).rejects.toMatchObject({ fault: 'refused', mayHaveHappened: false })
    expect(printer.machine.prints).toHaveLength(1)
  })

  it('the connector reports a print that was cancelled at the screen, an error, and a restart', async () => {
    const { printer, connector } = await aPrinter(kind)
    await send(connector)
    await connector.start(FILE)
    printer.machine.advance(9)
    printer.machine.cancel()
    const cancelled = await connector.findPrint(FILE)
    expect(cancelled).toMatchObject({ outcome: 'cancelled', minutes: 9 })
    await connector.start(FILE)
    printer.machine.fail('Heater extruder not heating at expected rate\u0007')
    const reading = await connector.readState()
    // OctoPrint behaves as if the print had been cancelled, until the connection itself fails.
    if (kind !== 'octoprint')
      expect(reading).toMatchObject({
        state: 'failed',
        message: 'Heater extruder not heating at expected rate',
      })
    printer.machine.reboot()
    expect((await connector.readState()).state).toBe('idle')
    await connector.start(FILE)
    await connector.cancel()
    expect(printer.machine.running).toBeNull()
  })

  it("the connector returns a picture of the printer's camera", async () => {
    const { connector } = await aPrinter(kind)
    expect((await connector.snapshot())?.subarray(1, 4).toString()).toBe('PNG')
  })

  it.each([
    ['garbage', 'garbage', /makes no sense/],
    ['silent', 'offline', /in time/],
    ['slow', 'offline', /in time/],
    ['endless', 'garbage', /too long/],
    ['redirect', 'garbage', /points to another address/],
    ['key', 'key', /refuses the key/],
    ['refused', 'refused', /No space left on device/],
    ['lost', 'offline', /ended the connection/],
  ])('the connector reports the fault "%s" with a sentence for people', async (fault, expected, sentence) => {
    const inner = await aRemote((_, response) => response.end('secret'))
    const isLate = fault === 'silent' || fault === 'slow'
    const { printer, connector } = await aPrinter(kind, { limits: { answerMs: isLate ? 200 : 20_000 } })
    printer.faults.push({ kind: fault, to: `${inner.url}/latest/meta-data` })
    await expect(connector.readState()).rejects.toMatchObject({
      fault: expected,
      message: expect.stringMatching(sentence),
    })
    expect(inner.hits).toEqual([])
  })

  it('a printer has no file and no print after it stops responding in the middle of an upload', async () => {
    const { printer, connector } = await aPrinter(kind, { limits: { uploadPauseMs: 20_000 } })
    printer.faults.push({ kind: 'lost', only: kind === 'prusalink' ? 'PUT' : 'POST' })
    await expect(send(connector, Buffer.alloc(5_000_000, 'G1 X1\n'))).rejects.toMatchObject({
      fault: 'offline',
    })
    expect([printer.machine.files.size, printer.machine.prints.length]).toEqual([0, 0])
  })

  it('the connector reports a wrong key, and reports the printer as offline if nothing listens at its address', async () => {
    const { printer } = await aPrinter(kind)
    const wrong = connected(kind, printer.url, { apiKey: 'wrong' })
    await expect(wrong.readState()).rejects.toMatchObject({ fault: 'key' })
    const gone = connected(kind, 'http://127.0.0.1:9')
    await expect(gone.readState()).rejects.toMatchObject({ fault: 'offline', mayHaveHappened: false })
  })
})

describe('PrusaLink', () => {
  it('PrusaLink accepts user and password by digest authentication', async () => {
    const { printer, connector } = await aPrinter('prusalink', { apiKey: `maker:${PRINTER_KEY}` })
    await send(connector)
    await connector.start(FILE)
    expect(await connector.readState()).toMatchObject({ state: 'printing', file: FILE })
    expect(printer.machine.prints).toHaveLength(1)
    const wrong = connected('prusalink', printer.url, { apiKey: 'maker:wrong' })
    await expect(wrong.readState()).rejects.toMatchObject({ fault: 'key' })
  })

  it('PrusaLink does not replace a file with the same name', async () => {
    const { printer, connector } = await aPrinter('prusalink')
    printer.machine.upload(FILE, aPrint({ minutes: 5 }))
    await expect(send(connector)).rejects.toMatchObject({ fault: 'refused' })
  })
})
