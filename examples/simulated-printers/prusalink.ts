import { answerCamera } from './camera-picture.ts'
import { checkDigest, digestChallenge } from './digest.ts'
import { type Print, Refused, type SimulatedPrinter, type StoredFile } from './printer.ts'
import { download, empty, json, type PrinterReply, type PrinterRequest } from './wire.ts'

const STATES: Record<Print['state'], string> = {
  printing: 'PRINTING',
  paused: 'PAUSED',
  complete: 'FINISHED',
  cancelled: 'STOPPED',
  error: 'ERROR',
  interrupted: 'IDLE',
}

const problem = (status: number, title: string, text: string): PrinterReply =>
  json(status, { code: 'PL00', title, text, url: '' })

/**
 * Returns whether a header value is true. The specification uses the form `?1`; old clients send `1` or
 * `true`.
 */
const isTrue = (value: string | string[] | undefined): boolean => /^(?:\?1|1|true)$/i.test(String(value))

/** Returns the short name by which the firmware lists a file. The uploaded name is the `display_name`. */
const shortName = (name: string): string =>
  /^[^.]{1,8}\.\w{1,3}$/.test(name)
    ? name.toUpperCase()
    : `${name.replaceAll(/[^\w]/g, '').slice(0, 6).toUpperCase()}~1.${name.endsWith('.bgcode') ? 'BGC' : 'GCO'}`

/** Responds like PrusaLink on a printer with a USB stick. */
export async function answerPrusaLink(
  printer: SimulatedPrinter,
  request: PrinterRequest,
  apiKey: string,
): Promise<PrinterReply> {
  const { method, path, headers } = request
  const digest = checkDigest(printer, request, apiKey)
  if (apiKey !== '' && headers['x-api-key'] !== apiKey && digest !== 'valid') {
    const challenge = digestChallenge(printer, { isStale: digest === 'stale' })
    return {
      ...problem(401, 'Unauthorized', 'Unauthorized'),
      headers: { 'content-type': 'application/json', 'www-authenticate': challenge },
    }
  }
  try {
    switch (`${method} ${path}`) {
      case 'GET /api/version':
        return json(200, {
          api: '2.0.0',
          server: '2.1.2',
          nozzle_diameter: 0.4,
          text: 'PrusaLink (simulated)',
          hostname: printer.name,
          capabilities: { 'upload-by-put': true },
        })
      case 'GET /api/v1/info':
        return json(200, { nozzle_diameter: 0.4, mmu: false, serial: '', hostname: printer.name })
      // The older interface, which programs still use for these three.
      case 'GET /api/files':
        return json(200, { files: [filesOf(printer)] })
      case 'GET /api/printer':
        return json(200, legacyStateOf(printer))
      case 'GET /api/job':
        return json(200, legacyJobOf(printer))
      case 'GET /api/v1/status':
        return json(200, statusOf(printer))
      case 'GET /api/v1/job':
        return printer.screen ? json(200, jobOf(printer, printer.screen)) : empty(204)
      case 'GET /api/v1/storage':
        return json(200, {
          storage_list: [{ path: '/usb/', name: 'usb', type: 'USB', read_only: false, available: true }],
        })
      case 'GET /api/v1/cameras/snap':
        return await answerCamera(printer)
    }
    const [, wanted = ''] = /^\/usb\/(.+)$/.exec(path) ?? []
    const bytes = printer.contents.get(wanted)
    if (method === 'GET' && bytes) return download(request, bytes)
    const [, id, action] = /^\/api\/v1\/job\/(\d+)(?:\/(pause|resume|continue))?$/.exec(path) ?? []
    if (id !== undefined) return command(printer, Number(id), `${method} ${action ?? ''}`)
    const [, name] = /^\/api\/v1\/files\/usb\/(.+)$/.exec(path) ?? []
    return name === undefined
      ? problem(404, 'Not Found', 'Not found')
      : await fileCall(printer, request, name)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return error.reason === 'no-file'
      ? problem(404, 'File not found', error.message)
      : problem(409, 'Conflict', error.message)
  }
}

function command(printer: SimulatedPrinter, id: number, order: string): PrinterReply {
  if (printer.screen?.id !== id) return problem(404, 'Not Found', `There is no job ${id}`)
  switch (order) {
    case 'PUT pause':
      printer.pause()
      break
    case 'PUT resume':
    case 'PUT continue':
      printer.resume()
      break
    case 'DELETE ':
      printer.cancel()
      break
    default:
      return problem(405, 'Method Not Allowed', 'Method not allowed')
  }
  return empty(204)
}

async function fileCall(
  printer: SimulatedPrinter,
  request: PrinterRequest,
  name: string,
): Promise<PrinterReply> {
  const { method, headers } = request
  if (method === 'PUT') {
    if (headers['content-length'] === undefined) return problem(411, 'Length Required', 'Length required')
    printer.upload(name, await request.body(), { mayReplace: isTrue(headers['overwrite']) })
    if (isTrue(headers['print-after-upload'])) printer.start(name)
    return empty(201)
  }
  const file = printer.files.get(name)
  if (!file) return problem(404, 'File not found', `There is no file ${name}`)
  if (method === 'POST') {
    printer.start(name)
    return empty(204)
  }
  if (method === 'DELETE') {
    printer.remove(name)
    return empty(204)
  }
  if (method === 'HEAD')
    return { status: 200, headers: { 'currently-printed': String(printer.running !== null) } }
  if (method !== 'GET') return problem(405, 'Method Not Allowed', 'Method not allowed')
  return json(200, {
    name: shortName(name),
    display_name: name,
    read_only: false,
    size: file.sizeBytes,
    type: 'PRINT_FILE',
    m_timestamp: Math.floor(file.uploadedAt / 1000),
    refs: refsOf(file),
    meta: {
      'estimated print time': Math.round(file.minutes * 60),
      'filament used [mm]': file.filamentMm,
      'filament used [g]': file.filamentGrams,
    },
  })
}

const refsOf = ({ name }: StoredFile) => ({
  resource: `/api/v1/files/usb/${encodeURIComponent(name)}`,
  download: `/usb/${encodeURIComponent(name)}`,
})

const filesOf = (printer: SimulatedPrinter) => ({
  name: 'usb',
  path: '/usb',
  display: 'USB',
  type: 'folder',
  origin: 'usb',
  children: [...printer.files.values()].map((file) => ({
    name: shortName(file.name),
    display: file.name,
    path: `/usb/${shortName(file.name)}`,
    origin: 'usb',
    type: 'machinecode',
    size: file.sizeBytes,
    date: Math.floor(file.uploadedAt / 1000),
    refs: refsOf(file),
  })),
})

function legacyStateOf(printer: SimulatedPrinter): unknown {
  const state = printer.running?.state
  const text = state === 'printing' ? 'Printing' : state === 'paused' ? 'Paused' : 'Operational'
  return {
    temperature: {
      tool0: { actual: state ? 214.9 : 27.6, target: state ? 215 : 0 },
      bed: { actual: state ? 59.5 : 24.3, target: state ? 60 : 0 },
    },
    state: {
      text: printer.isOff ? 'Offline' : text,
      flags: {
        operational: !printer.isOff,
        paused: state === 'paused',
        printing: state === 'printing',
        cancelling: false,
        pausing: false,
        error: printer.isOff,
        sdReady: false,
        closedOnError: printer.isOff,
        ready: !printer.isOff && !state,
        busy: false,
      },
    },
  }
}

function legacyJobOf(printer: SimulatedPrinter): unknown {
  const print = printer.running
  const done = print && printer.progressOf(print)
  return {
    state: print ? (print.state === 'paused' ? 'Paused' : 'Printing') : 'Operational',
    job: print && {
      estimatedPrintTime: print.file.minutes * 60,
      file: {
        name: shortName(print.file.name),
        display: print.file.name,
        path: `/usb/${shortName(print.file.name)}`,
      },
    },
    progress: print && {
      completion: done,
      printTime: Math.round(print.printedMinutes * 60),
      printTimeLeft: Math.round((print.file.minutes - print.printedMinutes) * 60),
    },
  }
}

function statusOf(printer: SimulatedPrinter): unknown {
  const print = printer.screen
  const isHot = print?.state === 'printing' || print?.state === 'paused'
  return {
    printer: {
      state: printer.isOff ? 'ERROR' : print ? STATES[print.state] : 'IDLE',
      temp_nozzle: isHot ? 214.9 : 27.6,
      target_nozzle: isHot ? 215 : 0,
      temp_bed: isHot ? 59.5 : 24.3,
      target_bed: isHot ? 60 : 0,
      axis_z: 0.5,
      flow: 100,
      speed: 100,
      ...(printer.isOff && { status_printer: { ok: false, message: 'Printer is not connected' } }),
      ...(print?.state === 'error' && { status_printer: { ok: false, message: print.message } }),
    },
    ...(print && {
      job: {
        id: print.id,
        progress: Math.round(printer.progressOf(print) * 100),
        time_printing: Math.round(print.printedMinutes * 60),
        ...(isHot && { time_remaining: Math.round((print.file.minutes - print.printedMinutes) * 60) }),
      },
    }),
    storage: { path: '/usb/', name: 'usb', read_only: false },
  }
}

function jobOf(printer: SimulatedPrinter, print: Print): unknown {
  return {
    id: print.id,
    state: STATES[print.state],
    progress: Math.round(printer.progressOf(print) * 100),
    time_printing: Math.round(print.printedMinutes * 60),
    time_remaining: Math.round((print.file.minutes - print.printedMinutes) * 60),
    file: {
      name: shortName(print.file.name),
      display_name: print.file.name,
      path: '/usb',
      size: print.file.sizeBytes,
      m_timestamp: Math.floor(print.file.uploadedAt / 1000),
      meta: {
        'filament used [mm]': print.file.filamentMm,
        'filament used [g]': print.file.filamentGrams,
      },
    },
  }
}
