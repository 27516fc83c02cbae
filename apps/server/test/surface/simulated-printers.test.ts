import { expect, it } from 'vitest'
import { PRINTER_KEY, simulatedPrinters } from '../servers/simulated-printers.ts'

const FILE = 'part one.gcode'
const BYTES = Buffer.from('G1 X1\nG1 X2\n')

/** The addresses at which a program lists, downloads and deletes files, by kind of printer. */
const ADDRESSES = {
  moonraker: {
    lists: ['/server/files/list', '/server/files/directory?path=gcodes'],
    file: `/server/files/gcodes/${encodeURIComponent(FILE)}`,
    other: ['/api/version', '/server/config', '/printer/objects/list'],
  },
  octoprint: {
    lists: ['/api/files', '/api/files/local?recursive=true'],
    file: `/downloads/files/local/${encodeURIComponent(FILE)}`,
    other: ['/api/connection', '/api/currentuser', '/api/printerprofiles', '/api/server', '/api/settings'],
  },
  prusalink: {
    lists: ['/api/files'],
    file: `/usb/${encodeURIComponent(FILE)}`,
    other: ['/api/printer', '/api/job'],
  },
} as const

const DELETE_AT = {
  moonraker: ADDRESSES.moonraker.file,
  octoprint: `/api/files/local/${encodeURIComponent(FILE)}`,
  prusalink: `/api/v1/files/usb/${encodeURIComponent(FILE)}`,
}

it.each(['moonraker', 'octoprint', 'prusalink'] as const)(
  'a simulated printer with %s lists, sends and deletes its files, as programs for such printers expect',
  async (kind) => {
    const [printer] = await simulatedPrinters([kind])
    if (!printer) throw new Error('no printer')
    printer.machine.upload(FILE, BYTES)
    const { lists, file, other } = ADDRESSES[kind]
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${printer.url}${path}`, { ...init, headers: { 'x-api-key': PRINTER_KEY, ...init.headers } })
    for (const path of lists) expect(await (await call(path)).text(), path).toContain(FILE)
    for (const path of other) expect((await call(path)).status, path).toBe(200)
    expect(await (await call(file)).text()).toBe(BYTES.toString())
    const part = await call(file, { headers: { range: 'bytes=0-4' } })
    expect([part.status, await part.text()]).toEqual([206, 'G1 X1'])
    printer.machine.start(FILE)
    expect((await call(DELETE_AT[kind], { method: 'DELETE' })).ok).toBe(false)
    printer.machine.cancel()
    expect((await call(DELETE_AT[kind], { method: 'DELETE' })).ok).toBe(true)
    expect(printer.machine.files.size).toBe(0)
    expect((await call(file)).status).toBe(404)
  },
)
