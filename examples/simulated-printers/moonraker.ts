import { type Print, Refused, type SimulatedPrinter, type StoredFile } from './printer.ts'
import { download, json, type PrinterReply, type PrinterRequest, readForm, readJson } from './wire.ts'

const HISTORY_STATES: Record<Print['state'], string> = {
  printing: 'in_progress',
  paused: 'in_progress',
  complete: 'completed',
  cancelled: 'cancelled',
  error: 'error',
  interrupted: 'interrupted',
}

const result = (value: unknown): PrinterReply => json(200, { result: value })
const failure = (code: number, message: string): PrinterReply => json(code, { error: { code, message } })

/** Returns the address of the camera's own server, on the host under which the caller knows the printer. */
const cameraUrl = ({ cameraPort }: SimulatedPrinter, { headers }: PrinterRequest): string =>
  `http://${new URL(`http://${headers.host}`).hostname}:${cameraPort}/?action=snapshot`

/** Responds like Moonraker with Klipper. Moonraker itself sends no pictures. */
export async function answerMoonraker(
  printer: SimulatedPrinter,
  request: PrinterRequest,
  apiKey: string,
): Promise<PrinterReply> {
  const { method, path, headers } = request
  if (apiKey !== '' && headers['x-api-key'] !== apiKey) return failure(401, 'Unauthorized')
  try {
    switch (`${method} ${path}`) {
      case 'GET /server/info':
        return result({
          klippy_connected: true,
          klippy_state: 'ready',
          components: ['file_manager', 'history', 'webcam'],
          moonraker_version: 'v0.9.3-simulated',
          api_version: [1, 5, 0],
          api_version_string: '1.5.0',
        })
      case 'GET /printer/info':
        return result({
          state: 'ready',
          state_message: 'Printer is ready',
          hostname: printer.name,
          software_version: 'v0.12.0-simulated',
        })
      // Moonraker answers this for programs that expect OctoPrint.
      case 'GET /api/version':
        return json(200, { server: '1.5.0', api: '0.1', text: 'OctoPrint (Moonraker v0.9.3-simulated)' })
      case 'GET /server/config':
        return result({ config: { server: { host: '0.0.0.0' } }, orig: {}, files: [] })
      case 'GET /server/files/list':
        return result([...printer.files.values()].map((file) => ({ path: file.name, ...statOf(file) })))
      case 'GET /server/files/directory':
        return result({
          dirs: [],
          files: [...printer.files.values()].map((file) => ({ filename: file.name, ...statOf(file) })),
          disk_usage: { total: 32_000_000_000, used: 4_000_000_000, free: 28_000_000_000 },
          root_info: { name: 'gcodes', permissions: 'rw' },
        })
      case 'GET /printer/objects/list':
        return result({ objects: ['webhooks', 'print_stats', 'virtual_sdcard', 'display_status'] })
      case 'GET /printer/objects/query':
        return result(statusOf(printer, [...request.url.searchParams.keys()]))
      case 'POST /printer/objects/query': {
        const { objects } = await readJson(request)
        return result(statusOf(printer, Object.keys((objects ?? {}) as object)))
      }
      case 'POST /server/files/upload':
        return await upload(printer, request)
      case 'GET /server/files/metadata': {
        const name = request.url.searchParams.get('filename') ?? ''
        const file = printer.files.get(name)
        if (!file) return failure(404, `Metadata not available for <${name}>`)
        return result({
          filename: name,
          size: file.sizeBytes,
          print_start_time: file.printedAt === null ? null : file.printedAt / 1000,
          modified: file.uploadedAt / 1000,
          estimated_time: file.minutes * 60,
          filament_total: file.filamentMm,
          filament_weight_total: file.filamentGrams,
        })
      }
      case 'POST /printer/print/start': {
        const given = request.url.searchParams.get('filename') ?? (await readJson(request))['filename']
        printer.start(String(given))
        return result('ok')
      }
      case 'POST /printer/print/pause':
        printer.pause()
        return result('ok')
      case 'POST /printer/print/resume':
        printer.resume()
        return result('ok')
      case 'POST /printer/print/cancel':
        printer.cancel()
        return result('ok')
      case 'GET /server/webcams/list':
        return result({
          webcams: [
            {
              name: 'Bed',
              enabled: true,
              service: 'mjpegstreamer',
              stream_url: '/webcam/?action=stream',
              snapshot_url: printer.snapshotUrl ?? cameraUrl(printer, request),
              uid: '341778f9-387f-455b-8b69-ff68442d41d9',
            },
          ],
        })
      case 'GET /server/history/list': {
        const limit = Number(request.url.searchParams.get('limit') ?? '50')
        const jobs = printer.prints.slice(-limit).reverse()
        return result({ count: jobs.length, jobs: jobs.map((print) => historyOf(printer, print)) })
      }
    }
    const [, name] = /^\/server\/files\/gcodes\/(.+)$/.exec(path) ?? []
    const bytes = printer.contents.get(name ?? '')
    if (method === 'GET' && bytes) return download(request, bytes)
    if (method !== 'DELETE' || name === undefined) return failure(404, 'Not Found')
    printer.remove(name)
    return result({ item: { path: name, root: 'gcodes' }, action: 'delete_file' })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return failure(error.reason === 'no-file' ? 404 : 400, error.message)
  }
}

const statOf = ({ sizeBytes, uploadedAt }: StoredFile) => ({
  size: sizeBytes,
  modified: uploadedAt / 1000,
  permissions: 'rw',
})

async function upload(printer: SimulatedPrinter, request: PrinterRequest): Promise<PrinterReply> {
  const form = await readForm(request)
  if (!form) return failure(400, 'No file in the form')
  const name = form.fields['path'] ? `${form.fields['path']}/${form.fileName}` : form.fileName
  const file = printer.upload(name, form.bytes)
  const isStarted = form.fields['print'] === 'true'
  if (isStarted) printer.start(name)
  return json(201, {
    item: { path: name, root: 'gcodes', size: file.sizeBytes, modified: file.uploadedAt / 1000 },
    print_started: isStarted,
    print_queued: false,
    action: 'create_file',
  })
}

/** Returns the status of the printer. Klipper forgets the last print when it restarts. */
function statusOf(printer: SimulatedPrinter, names: readonly string[]): unknown {
  const print = printer.screen
  const isHot = print?.state === 'printing' || print?.state === 'paused'
  const progress = print ? printer.progressOf(print) : 0
  const seconds = (print?.printedMinutes ?? 0) * 60
  const objects: Record<string, unknown> = {
    webhooks: printer.isOff
      ? { state: 'error', state_message: "mcu 'mcu': Unable to connect" }
      : { state: 'ready', state_message: 'Printer is ready' },
    print_stats: {
      filename: print?.file.name ?? '',
      state: print?.state ?? 'standby',
      message: print?.message ?? '',
      total_duration: seconds,
      print_duration: seconds,
      filament_used: print ? printer.usedMmOf(print) : 0,
      info: { total_layer: null, current_layer: null },
    },
    virtual_sdcard: {
      file_path: print && `/home/pi/printer_data/gcodes/${print.file.name}`,
      progress,
      is_active: print?.state === 'printing',
      file_position: print ? Math.round(print.file.sizeBytes * progress) : 0,
      file_size: print?.file.sizeBytes ?? 0,
    },
    display_status: { progress, message: null },
    extruder: { temperature: isHot ? 214.8 : 24.1, target: isHot ? 215 : 0 },
    heater_bed: { temperature: isHot ? 60.1 : 23.8, target: isHot ? 60 : 0 },
  }
  return {
    eventtime: performance.now() / 1000,
    status: Object.fromEntries(names.filter((name) => name in objects).map((name) => [name, objects[name]])),
  }
}

function historyOf(printer: SimulatedPrinter, print: Print): unknown {
  return {
    job_id: print.id.toString(16).toUpperCase().padStart(6, '0'),
    exists: printer.files.has(print.file.name),
    filename: print.file.name,
    status: printer.isRecordLate ? 'in_progress' : HISTORY_STATES[print.state],
    start_time: print.startedAt / 1000,
    end_time: print.endedAt === null ? null : print.endedAt / 1000,
    print_duration: print.printedMinutes * 60,
    total_duration: print.printedMinutes * 60,
    filament_used: printer.usedMmOf(print),
    user: print.by === 'network' ? '_API_KEY_USER_' : null,
    metadata: { size: print.file.sizeBytes, estimated_time: print.file.minutes * 60 },
    auxiliary_data: [],
  }
}
