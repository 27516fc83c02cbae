import { answerCamera } from './camera-picture.ts'
import { Refused, type SimulatedPrinter, type StoredFile } from './printer.ts'
import { download, empty, json, type PrinterReply, type PrinterRequest, readForm, readJson } from './wire.ts'

/** The file that a client has selected on each printer, and the number of prints before. */
const chosen = new WeakMap<SimulatedPrinter, { name: string; prints: number }>()

const select = (printer: SimulatedPrinter, name: string): void =>
  void chosen.set(printer, { name, prints: printer.prints.length })

/**
 * Returns the selected file. OctoPrint keeps a file selected after its print, also if it was started at the machine, until
 * the printer restarts.
 */
function selectedOf(printer: SimulatedPrinter): string | undefined {
  const known = chosen.get(printer)
  return printer.prints.length > (known?.prints ?? 0) ? printer.screen?.file.name : known?.name
}

/** Responds like OctoPrint with a connected printer. */
export async function answerOctoPrint(
  printer: SimulatedPrinter,
  request: PrinterRequest,
  apiKey: string,
): Promise<PrinterReply> {
  const { method, path, headers } = request
  if (path === '/webcam/') return await answerCamera(printer)
  const isKnown = headers['x-api-key'] === apiKey || headers.authorization === `Bearer ${apiKey}`
  if (apiKey !== '' && !isKnown)
    return json(403, { error: "You don't have the permission to access the requested resource." })
  try {
    switch (`${method} ${path}`) {
      case 'GET /api/version':
        return json(200, { api: '0.1', server: '1.11.2', text: 'OctoPrint 1.11.2 (simulated)' })
      case 'GET /api/printer':
        return printer.isOff
          ? json(409, { error: 'Printer is not operational' })
          : json(200, printerOf(printer))
      case 'GET /api/job':
        return json(200, jobOf(printer))
      case 'GET /api/server':
        return json(200, { version: '1.11.2', safemode: null })
      case 'POST /api/login':
      case 'GET /api/currentuser':
        return json(200, USER)
      case 'GET /api/settings':
        return json(200, { appearance: { name: printer.name }, plugins: {} })
      case 'GET /api/connection':
        return json(200, connectionOf(printer))
      // The simulated OctoPrint connects by itself.
      case 'POST /api/connection':
        return empty(204)
      case 'GET /api/printerprofiles':
        return json(200, { profiles: { _default: { ...PROFILE, default: true, current: true } } })
      case 'GET /api/files':
      case 'GET /api/files/local':
        return json(200, {
          files: [...printer.files.values()].map((file) => fileOf(printer, file)),
          free: 28_000_000_000,
          total: 32_000_000_000,
        })
      case 'POST /api/job':
        return command(printer, await readJson(request))
      case 'POST /api/files/local':
        return await upload(printer, request)
    }
    const [, wanted = ''] = /^\/downloads\/files\/local\/(.+)$/.exec(path) ?? []
    const bytes = printer.contents.get(wanted)
    if (method === 'GET' && bytes) return download(request, bytes)
    const [, name] = /^\/api\/files\/local\/(.+)$/.exec(path) ?? []
    if (name === undefined) return json(404, { error: 'Not found' })
    const file = printer.files.get(name)
    if (!file) return json(404, { error: 'File not found' })
    if (method === 'GET') return json(200, fileOf(printer, file))
    if (method === 'DELETE') {
      printer.remove(name)
      if (selectedOf(printer) === name) select(printer, '')
      return empty(204)
    }
    const { command: order, print } = await readJson(request)
    if (method !== 'POST' || order !== 'select') return json(400, { error: 'Unknown command' })
    if (printer.running) return json(409, { error: 'Already printing' })
    select(printer, name)
    if (print === true) printer.start(name)
    return empty(204)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return json(error.reason === 'no-file' ? 404 : 409, { error: error.message })
  }
}

/** The account of the key, as OctoPrint describes it to clients that open its websocket. */
const USER = {
  name: 'maker',
  active: true,
  admin: true,
  user: true,
  groups: ['admins'],
  session: 'simulated',
}

const PROFILE = {
  id: '_default',
  name: 'Default',
  model: 'Generic RepRap Printer',
  volume: { formFactor: 'rectangular', origin: 'lowerleft', width: 250, depth: 210, height: 220 },
  extruder: { count: 1, nozzleDiameter: 0.4, sharedNozzle: false },
}

const connectionOf = (printer: SimulatedPrinter) => ({
  current: {
    state: textOf(printer),
    port: printer.isOff ? null : '/dev/ttyACM0',
    baudrate: printer.isOff ? null : 115_200,
    printerProfile: PROFILE.id,
  },
  options: {
    ports: ['/dev/ttyACM0'],
    baudrates: [115_200],
    printerProfiles: [{ id: PROFILE.id, name: PROFILE.name }],
    autoconnect: true,
  },
})

async function upload(printer: SimulatedPrinter, request: PrinterRequest): Promise<PrinterReply> {
  if (request.headers['content-length'] === undefined) return json(411, { error: 'Length required' })
  const form = await readForm(request)
  if (!form) return json(400, { error: 'No file to upload and no folder to create' })
  printer.upload(form.fileName, form.bytes, { mayReplace: form.fields['noOverwrite'] !== 'true' })
  if (form.fields['select'] === 'true' || form.fields['print'] === 'true') select(printer, form.fileName)
  if (form.fields['print'] === 'true') printer.start(form.fileName)
  return json(201, {
    files: { local: { name: form.fileName, path: form.fileName, origin: 'local' } },
    done: true,
    effectiveSelect: selectedOf(printer) === form.fileName,
    effectivePrint: printer.running?.file.name === form.fileName,
  })
}

function command(
  printer: SimulatedPrinter,
  { command: name, action }: Record<string, unknown>,
): PrinterReply {
  const running = printer.running
  if (name === 'start') {
    if (running) throw new Refused('busy', 'A print job is already active')
    printer.start(selectedOf(printer) ?? '')
  } else if (name === 'cancel') printer.cancel()
  else if (name === 'pause') {
    if (!running) throw new Refused('no-print', 'Printer is neither printing nor paused')
    const isResumed = action === 'resume' || (action !== 'pause' && running.state === 'paused')
    if (isResumed) printer.resume()
    else printer.pause()
  } else return json(400, { error: 'Unknown command' })
  return empty(204)
}

function printerOf(printer: SimulatedPrinter): unknown {
  const state = printer.running?.state
  const isHot = state !== undefined
  return {
    temperature: {
      tool0: { actual: isHot ? 214.8 : 24.1, target: isHot ? 215 : 0, offset: 0 },
      bed: { actual: isHot ? 60.1 : 23.8, target: isHot ? 60 : 0, offset: 0 },
    },
    sd: { ready: false },
    state: {
      text: textOf(printer),
      error: '',
      flags: {
        operational: true,
        paused: state === 'paused',
        printing: state === 'printing',
        cancelling: false,
        pausing: false,
        resuming: false,
        finishing: false,
        sdReady: false,
        error: false,
        ready: !isHot,
        closedOrError: false,
      },
    },
  }
}

function textOf(printer: SimulatedPrinter): string {
  if (printer.isOff) return 'Offline'
  const state = printer.running?.state
  if (state === 'printing') return 'Printing'
  return state === 'paused' ? 'Paused' : 'Operational'
}

function jobOf(printer: SimulatedPrinter): unknown {
  const running = printer.running
  const name = running?.file.name ?? selectedOf(printer)
  const file = name === undefined ? undefined : printer.files.get(name)
  const shown = printer.screen?.file.name === name ? printer.screen : null
  const isDone = shown?.state === 'complete'
  return {
    job: {
      file: file
        ? {
            name,
            display: name,
            path: name,
            origin: 'local',
            size: file.sizeBytes,
            date: Math.floor(file.uploadedAt / 1000),
          }
        : { name: null, display: null, path: null, origin: null, size: null, date: null },
      estimatedPrintTime: file ? file.minutes * 60 : null,
      lastPrintTime: null,
      filament: file ? { tool0: { length: file.filamentMm, volume: file.filamentMm * 0.0024 } } : null,
    },
    progress:
      shown && (running !== null || isDone)
        ? {
            completion: printer.progressOf(shown) * 100,
            filepos: Math.round(shown.file.sizeBytes * printer.progressOf(shown)),
            printTime: Math.round(shown.printedMinutes * 60),
            printTimeLeft: Math.round((shown.file.minutes - shown.printedMinutes) * 60),
          }
        : { completion: null, filepos: null, printTime: null, printTimeLeft: null },
    state: textOf(printer),
  }
}

function fileOf(printer: SimulatedPrinter, file: StoredFile): unknown {
  // OctoPrint does not record prints that a restart has aborted.
  const ended = printer.prints.filter(
    (print) =>
      print.file.name === file.name &&
      print.state !== 'printing' &&
      print.state !== 'paused' &&
      print.state !== 'interrupted',
  )
  const last = ended.at(-1)
  return {
    name: file.name,
    display: file.name,
    path: file.name,
    type: 'machinecode',
    typePath: ['machinecode', 'gcode'],
    size: file.sizeBytes,
    date: Math.floor(file.uploadedAt / 1000),
    origin: 'local',
    gcodeAnalysis: {
      estimatedPrintTime: file.minutes * 60,
      filament: { tool0: { length: file.filamentMm, volume: file.filamentMm * 0.0024 } },
    },
    ...(last && {
      prints: {
        success: ended.filter(({ state }) => state === 'complete').length,
        failure: ended.filter(({ state }) => state !== 'complete').length,
        last: {
          date: (last.endedAt ?? 0) / 1000,
          success: last.state === 'complete',
          printTime: last.printedMinutes * 60,
        },
      },
    }),
  }
}
