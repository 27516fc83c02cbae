import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aRemote, serving } from '../../../test/servers/remote-server.ts'
import {
  FORMATS,
  PRINTER_KEY,
  type Protocol,
  type SimulatedPrinter,
  aPrint,
  simulatedPrinters,
} from '../../../test/servers/simulated-printers.ts'
import { createDeviceCall } from '../../platform/outbound/device-call.ts'
import type { DeviceLimits } from '../../platform/outbound/device-limits.ts'
import { createDeviceSocket } from '../../platform/outbound/device-socket.ts'
import { connectPrinter } from './connect-printer.ts'
import { createBambuSessions } from './adapters/bambu/bambu-sessions.ts'
import type { PrintOrder, PrinterConnector } from './connector.ts'

const KINDS: readonly Protocol[] = ['moonraker', 'octoprint', 'prusalink', 'bambu']
/** The request that uploads a file, for each protocol. */
const UPLOAD = { moonraker: 'POST', octoprint: 'POST', prusalink: 'PUT', bambu: 'FTP STOR' }
const PRINT: PrintOrder = { plate: 1, slots: null }
const BYTES = aPrint({ minutes: 90, mm: 4000 })

interface Connection {
  apiKey?: string
  limits?: Partial<DeviceLimits>
  /** The stored certificate of a Bambu printer. */
  certificate?: string | null
}

function connected(kind: Protocol, address: string, options: Connection = {}): PrinterConnector {
  const network = {
    resolve: () => Promise.resolve(['127.0.0.1']),
    limits: { answerMs: 20_000, ...options.limits },
  }
  const bambu = createBambuSessions({
    sockets: createDeviceSocket(network),
    keepCertificate: (_, certificate) => Promise.resolve(options.certificate ?? certificate),
  })
  onTestFinished(() => bambu.close())
  const { apiKey = PRINTER_KEY, certificate = null } = options
  return connectPrinter(
    { id: 'printer', kind, address, apiKey, certificate },
    { call: createDeviceCall(network), bambu },
  )
}

async function aPrinter(
  kind: Protocol,
  options: Connection = {},
): Promise<{ printer: SimulatedPrinter; connector: PrinterConnector; file: string }> {
  const [printer] = await simulatedPrinters([kind])
  if (!printer) throw new Error('no printer')
  const file = `j-00012-2-x7k2.${FORMATS[kind]}`
  return { printer, connector: connected(kind, printer.url, options), file }
}

const send = (connector: PrinterConnector, file: string, bytes = BYTES) =>
  connector.upload(file, { stream: Readable.from([bytes]), sizeBytes: bytes.length })

/** Returns the print time that a printer reports. A Bambu printer reports none. */
const minutesIn = (kind: Protocol, minutes: number) => (kind === 'bambu' ? null : minutes)

describe.each(KINDS)('a printer with the protocol of %s', (kind) => {
  it('the connector sends a file, prints it, pauses and resumes the print, and reports the used filament', async () => {
    const { printer, connector, file } = await aPrinter(kind)
    expect(await connector.readState()).toMatchObject({ state: 'idle', file: null })
    expect(await connector.findFile(file)).toBeNull()
    await send(connector, file)
    expect(await connector.findFile(file)).toEqual({ sizeBytes: BYTES.length })
    expect((await connector.readState()).state).toBe('idle')
    expect([null, 'unknown']).toContainEqual(await connector.findPrint(file))

    await connector.start(file, PRINT)
    printer.machine.advance(45)
    expect(await connector.readState()).toEqual({
      state: 'printing',
      file,
      progress: 0.5,
      minutesLeft: 45,
      message: null,
    })
    expect(await connector.findPrint(file)).toMatchObject({
      outcome: 'running',
      minutes: minutesIn(kind, 45),
    })
    await connector.pause()
    printer.machine.advance(10)
    expect(await connector.readState()).toMatchObject({ state: 'paused', file, progress: 0.5 })
    await connector.resume()
    printer.machine.advance(45)
    expect(await connector.readState()).toMatchObject({ state: 'finished', file })
    const record = await connector.findPrint(file)
    expect(record).toMatchObject({ outcome: 'finished', minutes: minutesIn(kind, 90) })
    const used = typeof record === 'object' ? record?.used : null
    if (kind === 'bambu') expect(used).toBeNull()
    else
      expect(used && 'mm' in used ? used.mm : used?.grams).toBeCloseTo(used && 'mm' in used ? 4000 : 14.9, 1)
    // PrusaLink and OctoPrint report the slicer's amount, and a Bambu printer reports none.
    expect(used?.isMeasured ?? false).toBe(kind === 'moonraker')
    expect(printer.machine.prints).toHaveLength(1)
  })

  it('the connector refuses a second start, and reports a print that was started by hand', async () => {
    const { printer, connector, file } = await aPrinter(kind)
    await send(connector, file)
    printer.machine.upload('vase.gcode', aPrint())
    printer.machine.start('vase.gcode', 'machine')
    expect(await connector.readState()).toMatchObject({ state: 'printing', file: 'vase.gcode' })
    await expect(connector.start(file, PRINT)).rejects.toMatchObject({
      fault: 'refused',
      mayHaveHappened: false,
    })
    expect(printer.machine.prints).toHaveLength(1)
  })

  it('the connector reports an error, a restart, and a print that somebody cancelled at the screen', async () => {
    const { printer, connector, file } = await aPrinter(kind)
    await send(connector, file)
    await connector.start(file, PRINT)
    printer.machine.advance(9)
    printer.machine.cancel()
    const cancelled = await connector.findPrint(file)
    expect(cancelled).toMatchObject({ outcome: 'cancelled', minutes: minutesIn(kind, 9) })
    await connector.start(file, PRINT)
    printer.machine.fail('Heater extruder not heating at expected rate\u0007')
    const reading = await connector.readState()
    // OctoPrint reports a failed print in the same way as a cancelled one, unless it has lost the connection.
    if (kind !== 'octoprint')
      expect(reading).toMatchObject({
        state: 'failed',
        message:
          kind === 'bambu'
            ? 'The printer shows the error 0300-8004.'
            : 'Heater extruder not heating at expected rate',
      })
    printer.machine.reboot()
    expect((await connector.readState()).state).toBe('idle')
    await connector.start(file, PRINT)
    await connector.cancel()
    expect(printer.machine.running).toBeNull()
  })

  it("the connector returns a picture of the printer's camera", async () => {
    const { connector } = await aPrinter(kind)
    const picture = await connector.snapshot()
    // The camera of a Bambu printer uses a protocol of its own.
    if (kind === 'bambu') expect(picture).toBeNull()
    else expect(picture?.subarray(1, 4).toString()).toBe('PNG')
  })

  it.each([
    ['garbage', 'garbage', /is not valid/],
    ['silent', 'offline', /in time/],
    ['slow', 'offline', /in time/],
    ['endless', 'garbage', /too long/],
    // An MQTT broker sends no redirects, and gives no reason when it refuses a connection.
    ...(kind === 'bambu'
      ? []
      : [
          ['redirect', 'garbage', /redirects to another address/] as const,
          ['refused', 'refused', /No space left on device/] as const,
        ]),
    ['key', 'key', /refused the key/],
    ['lost', 'offline', /closed the connection/],
  ] as const)(
    'the connector reports the fault "%s" with a readable message',
    async (fault, expected, sentence) => {
      const inner = await aRemote((_, response) => response.end('secret'))
      const isLate = fault === 'silent' || fault === 'slow'
      const { printer, connector } = await aPrinter(kind, { limits: { answerMs: isLate ? 200 : 20_000 } })
      printer.faults.push({ kind: fault, to: `${inner.url}/latest/meta-data` })
      await expect(connector.readState()).rejects.toMatchObject({
        fault: expected,
        message: expect.stringMatching(sentence),
      })
      expect(inner.hits).toEqual([])
    },
  )

  it('if a printer stops responding in the middle of an upload, it has neither the file nor a print afterwards', async () => {
    const { printer, connector, file } = await aPrinter(kind, { limits: { uploadPauseMs: 20_000 } })
    printer.faults.push({ kind: 'lost', only: UPLOAD[kind] })
    await expect(send(connector, file, Buffer.alloc(5_000_000, 'G1 X1\n'))).rejects.toMatchObject({
      fault: 'offline',
    })
    expect([printer.machine.files.size, printer.machine.prints.length]).toEqual([0, 0])
  })

  it('the connector distinguishes a wrong key from a printer that is offline', async () => {
    const { printer } = await aPrinter(kind)
    const wrong = connected(kind, printer.url, { apiKey: 'wrong' })
    await expect(wrong.readState()).rejects.toMatchObject({ fault: 'key' })
    const gone = connected(kind, kind === 'bambu' ? '127.0.0.1:9,9' : 'http://127.0.0.1:9')
    await expect(gone.readState()).rejects.toMatchObject({ fault: 'offline', mayHaveHappened: false })
  })
})

it('OctoPrint shows a cancelled print by the record of its selected file, and is idle if it cannot read the record', async () => {
  const { printer, connector, file } = await aPrinter('octoprint')
  await send(connector, file)
  await connector.start(file, PRINT)
  printer.machine.cancel()
  expect(await connector.readState()).toMatchObject({ state: 'cancelled', file, printId: expect.any(String) })
  printer.faults.push({ kind: 'refused', only: 'GET /api/files/', status: 500 })
  expect(await connector.readState()).toMatchObject({ state: 'idle', file })
})

describe('the connector for PrusaLink', () => {
  it('PrusaLink accepts a user and password by digest authentication', async () => {
    const { printer, connector, file } = await aPrinter('prusalink', { apiKey: `maker:${PRINTER_KEY}` })
    await send(connector, file)
    await connector.start(file, PRINT)
    expect(await connector.readState()).toMatchObject({ state: 'printing', file })
    expect(printer.machine.prints).toHaveLength(1)
    const wrong = connected('prusalink', printer.url, { apiKey: 'maker:wrong' })
    await expect(wrong.readState()).rejects.toMatchObject({ fault: 'key' })
  })

  it('PrusaLink does not replace a file with the same name', async () => {
    const { printer, connector, file } = await aPrinter('prusalink')
    printer.machine.upload(file, aPrint({ minutes: 5 }))
    await expect(send(connector, file)).rejects.toMatchObject({ fault: 'refused' })
  })
})

it('the connector of a Klipper printer asks any port of its host for a picture without its key, and no other host', async () => {
  const { connector, printer } = await aPrinter('moonraker')
  const picture = await connector.snapshot()
  const camera = await aRemote(serving(picture ?? new Uint8Array()))
  printer.machine.snapshotUrl = `${camera.url}/?action=snapshot`
  expect(await connector.snapshot()).toEqual(picture)
  expect(camera.hits).toMatchObject([{ path: '/?action=snapshot' }])
  expect(camera.hits[0]?.headers).not.toHaveProperty('x-api-key')
  // All these names lead to this machine, but only one of them is the printer's own host.
  for (const host of ['localhost', 'other.lan', '127.0.0.2', '[::1]', 'user@localhost']) {
    printer.machine.snapshotUrl = `http://${host}:${camera.port}/`
    expect([host, await connector.snapshot()]).toEqual([host, null])
  }
  printer.machine.snapshotUrl = `//localhost:${camera.port}/`
  expect(await connector.snapshot()).toBeNull()
  expect(camera.hits).toHaveLength(1)
})
