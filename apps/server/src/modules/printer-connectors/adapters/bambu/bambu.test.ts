import { X509Certificate } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anAuthority } from '../../../../../test/servers/certificates.ts'
import {
  PRINTER_KEY,
  SERIAL,
  aPrint,
  simulatedPrinters,
} from '../../../../../test/servers/simulated-printers.ts'
import type { DeviceLimits } from '../../../../platform/outbound/device-limits.ts'
import { createDeviceSocket } from '../../../../platform/outbound/device-socket.ts'
import type { PrinterConnector } from '../../connector.ts'
import { createBambuConnector } from './bambu.ts'
import { type BambuAccess, createBambuSessions } from './bambu-sessions.ts'

const FILE = 'j-00012-2-x7k2.gcode.3mf'
const BYTES = aPrint({ minutes: 90, mm: 4000 })

const fingerprintOf = ({ cert }: { cert: string }): string => new X509Certificate(cert).fingerprint256

/** Creates a connector, and the list of certificates that it stores. */
function connecting(access: Omit<BambuAccess, 'id'>, limits: Partial<DeviceLimits> = {}) {
  const keptCertificates: string[] = []
  const sessions = createBambuSessions({
    sockets: createDeviceSocket({
      resolve: () => Promise.resolve(['127.0.0.1']),
      limits: { answerMs: 20_000, uploadPauseMs: 20_000, ...limits },
    }),
    keepCertificate: (_, certificate) => {
      keptCertificates.push(certificate)
      return Promise.resolve(certificate)
    },
  })
  onTestFinished(() => sessions.close())
  return { connector: createBambuConnector({ id: 'x', ...access }, { sessions }), keptCertificates }
}

async function aBambu({ name = SERIAL } = {}) {
  const certificate = anAuthority('BBL CA').issue(name)
  const [printer] = await simulatedPrinters(['bambu'], { certificate })
  if (!printer) throw new Error('no printer')
  const access = { address: printer.url, apiKey: PRINTER_KEY, certificate: null }
  return { printer, certificate, access, ...connecting(access) }
}

const send = (connector: PrinterConnector, bytes = BYTES) =>
  connector.upload(FILE, { stream: Readable.from([bytes]), sizeBytes: bytes.length })

/** Returns a stream that sends chunks of these sizes, a few milliseconds apart, and then stalls. */
function aSourceThatStalls(sizes: readonly number[]): Readable {
  let next = 0
  return new Readable({
    read() {
      const size = sizes[next++]
      if (size !== undefined) setTimeout(() => this.push(Buffer.alloc(size)), 5)
    },
  })
}

describe('the certificate of a Bambu printer', () => {
  it('the first certificate, which contains the serial number, is stored only after the printer has accepted the access code', async () => {
    const { connector, certificate, keptCertificates, printer } = await aBambu()
    expect((await connector.readState()).state).toBe('idle')
    expect(keptCertificates).toEqual([fingerprintOf(certificate)])
    const wrong = connecting({ address: printer.url, apiKey: 'wrong', certificate: null })
    await expect(wrong.connector.readState()).rejects.toMatchObject({ fault: 'key' })
    expect(wrong.keptCertificates).toEqual([])
  })

  it('neither the broker nor the file store of a Bambu printer with another certificate gets the access code', async () => {
    const { printer, access } = await aBambu()
    const other = fingerprintOf(anAuthority().issue(SERIAL))
    const { connector } = connecting({ ...access, certificate: other })
    for (const call of [() => connector.readState(), () => connector.findFile(FILE), () => send(connector)])
      await expect(call()).rejects.toMatchObject({
        fault: 'key',
        message: expect.stringMatching(/certificate of the printer has changed/),
        mayHaveHappened: false,
      })
    expect(printer.requests).toEqual([])
  })

  it('the serial number in the address of a Bambu printer must equal that of the certificate, if the certificate has one', async () => {
    const { printer, access } = await aBambu()
    const { connector } = connecting({ ...access, address: `${printer.url}/01S00C000000000` })
    await expect(connector.readState()).rejects.toMatchObject({
      message: expect.stringMatching(/another serial/),
    })
    expect(printer.requests).toEqual([])
    const right = connecting({ ...access, address: `${printer.url}/${SERIAL.toLowerCase()}` })
    expect((await right.connector.readState()).state).toBe('idle')
    const unnamed = await aBambu({ name: 'bambu' })
    await expect(unnamed.connector.readState()).rejects.toMatchObject({
      message: expect.stringMatching(/does not contain the serial number/),
    })
  })
})

describe('the connection to a Bambu printer', () => {
  it('all calls to a Bambu printer share one connection, on which one full report is requested and then the changes are followed', async () => {
    const { printer, connector } = await aBambu()
    await send(connector)
    await connector.start(FILE, { plate: 1, slots: null })
    for (const minutes of [9, 36]) {
      printer.machine.advance(minutes)
      await connector.readState()
    }
    expect(await connector.readState()).toMatchObject({ state: 'printing', progress: 0.5, minutesLeft: 45 })
    const [first, second] = await Promise.all([connector.readState(), connector.readState()])
    expect(first).toEqual(second)
    const count = (line: string) => printer.requests.filter((request) => request === line).length
    expect([count('MQTT CONNECT'), count('MQTT pushing.pushall')]).toEqual([1, 1])
  })

  it('starting a print on a Bambu printer names the plate and the trays of its filaments', async () => {
    const { printer, connector } = await aBambu()
    await send(connector)
    await connector.start(FILE, {
      plate: 3,
      slots: [
        { tool: 0, slot: 2 },
        { tool: 2, slot: 4 },
      ],
    })
    expect(printer.commands.at(-1)).toMatchObject({
      command: 'project_file',
      param: 'Metadata/plate_3.gcode',
      url: `ftp:///${FILE}`,
      subtask_name: FILE,
      use_ams: true,
      ams_mapping: [1, -1, 3],
    })
    await connector.cancel()
    await connector.start(FILE, { plate: 1, slots: null })
    expect(printer.commands.at(-1)).toMatchObject({ use_ams: false, ams_mapping: '' })
  })

  it("a Bambu printer's message about a refused start is reported, without losing the connection", async () => {
    const { printer, connector } = await aBambu()
    await send(connector)
    printer.faults.push({ kind: 'refused', only: 'MQTT print.project_file', times: 1 })
    await expect(connector.start(FILE, { plate: 1, slots: null })).rejects.toMatchObject({
      fault: 'refused',
      message: 'The printer refused the request: No space left on device',
      mayHaveHappened: false,
    })
    await connector.start(FILE, { plate: 1, slots: null })
    expect(printer.machine.prints).toHaveLength(1)
  })

  it('a Bambu printer may be printing if the response to a start was lost, but not if the start was never sent', async () => {
    const { printer, connector } = await aBambu()
    await send(connector)
    printer.faults.push({ kind: 'lost-answer', only: 'MQTT print.project_file', times: 1 })
    await expect(connector.start(FILE, { plate: 1, slots: null })).rejects.toMatchObject({
      fault: 'offline',
      mayHaveHappened: true,
    })
    expect(await connector.readState()).toMatchObject({ state: 'printing', file: FILE })
    await printer.close()
    await expect(connector.readState()).rejects.toMatchObject({ fault: 'offline' })
    await expect(connector.start(FILE, { plate: 1, slots: null })).rejects.toMatchObject({
      fault: 'offline',
      mayHaveHappened: false,
    })
  })
})

describe('the file store of a Bambu printer', () => {
  it('a Bambu printer cannot direct an upload to another machine', async () => {
    const { printer, connector } = await aBambu()
    // There is no server at the other address, so a client that follows the redirect fails.
    printer.faults.push({ kind: 'redirect', only: 'FTP', to: '127.0.0.2' })
    await send(connector)
    expect(printer.requests).toContain('FTP PASV')
    expect(printer.machine.files.get(FILE)).toMatchObject({ sizeBytes: BYTES.length })
  })

  it.each([
    ['refused', 'refused', /No space left on device/, 0],
    ['key', 'refused', /Login incorrect/, 0],
    ['lost', 'offline', /closed the connection/, 0],
    ['lost-answer', 'offline', /closed the connection/, 1],
    ['garbage', 'garbage', /is not valid/, 1],
    ['endless', 'garbage', /too long/, 1],
  ] as const)(
    'the fault "%s" ends an upload with a readable message',
    async (kind, fault, sentence, files) => {
      const { printer, connector } = await aBambu()
      printer.faults.push({ kind, only: 'FTP STOR' })
      await expect(send(connector)).rejects.toMatchObject({ fault, message: expect.stringMatching(sentence) })
      expect(printer.machine.files.size).toBe(files)
    },
  )

  it('the file store of a Bambu printer reports a wrong access code, and a line break in it starts no command', async () => {
    const { printer, access, certificate, connector } = await aBambu()
    printer.faults.push({ kind: 'key', only: 'FTP PASS' })
    await expect(connector.findFile(FILE)).rejects.toMatchObject({ fault: 'key' })
    const known = { ...access, certificate: fingerprintOf(certificate) }
    const injecting = connecting({ ...known, apiKey: `${PRINTER_KEY}\r\nDELE ${FILE}` })
    await expect(injecting.connector.findFile(FILE)).rejects.toMatchObject({ fault: 'key' })
    expect(printer.requests).not.toContain('FTP DELE')
  })

  it.each([
    ['pauses for too long', { uploadPauseMs: 100 }, [1]],
    ['takes too long in all', { uploadBaseMs: 100, uploadBytesPerSecond: 1_000_000 }, Array(10_000).fill(1)],
  ])('an upload that %s ends, although its source provides nothing more', async (_, limits, sizes) => {
    const { printer, access } = await aBambu()
    const { connector } = connecting(access, limits)
    const stream = aSourceThatStalls(sizes)
    await expect(connector.upload(FILE, { stream, sizeBytes: BYTES.length })).rejects.toMatchObject({
      fault: 'offline',
      message: 'The printer did not respond in time.',
    })
    expect([stream.destroyed, printer.machine.prints.length]).toEqual([true, 0])
  })
})
