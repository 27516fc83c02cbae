import { FAULTS, type Fault, type FaultKind } from './faults.ts'
import type { NetworkPrinter } from './network-printer.ts'
import { empty, json, type PrinterReply, type PrinterRequest, readJson } from './wire.ts'

/**
 * Simulates a person's action at the printer, for `POST /printers/{name}/{act}`. Returns false for an unknown
 * action.
 */
function act(printer: NetworkPrinter, name: string, body: Record<string, unknown>): boolean {
  const { machine } = printer
  switch (name) {
    case 'advance':
      machine.advance(Number(body['minutes']))
      return true
    case 'start': {
      const file = String(body['file'])
      if (!machine.files.has(file)) machine.upload(file, Buffer.from(''))
      machine.start(file, 'machine')
      return true
    }
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'reboot':
    case 'off':
    case 'on':
    case 'acknowledge':
      machine[name]()
      return true
    case 'fail':
      machine.fail(
        typeof body['message'] === 'string'
          ? body['message']
          : 'Heater extruder not heating at expected rate',
      )
      return true
    case 'fault':
      printer.faults = [faultOf(body)]
      return true
    case 'mend':
      printer.faults = []
      return true
    default:
      return false
  }
}

function faultOf({ kind, only, times, to, status }: Record<string, unknown>): Fault {
  const known: readonly unknown[] = FAULTS
  if (!known.includes(kind)) throw new Error(`The fault must be one of ${FAULTS.join(', ')}`)
  return {
    kind: kind as FaultKind,
    ...(typeof only === 'string' && { only }),
    ...(typeof times === 'number' && { times }),
    ...(typeof to === 'string' && { to }),
    ...(typeof status === 'number' && { status }),
  }
}

const describe = ({ name, protocol, url, machine, faults }: NetworkPrinter) => {
  const print = machine.screen
  return {
    name,
    protocol,
    url,
    faults,
    print: print && { file: print.file.name, state: print.state, progress: machine.progressOf(print) },
    prints: machine.prints.map(({ id, file, state, by }) => ({ id, file: file.name, state, by })),
  }
}

/** Responds to `GET /printers`, and to `POST /printers/{name}/{act}`. */
export async function answerAdmin(
  printers: readonly NetworkPrinter[],
  request: PrinterRequest,
): Promise<PrinterReply> {
  if (request.method === 'GET' && request.path === '/printers') return json(200, printers.map(describe))
  const [, name, order = ''] = /^\/printers\/([^/]+)\/([a-z]+)$/.exec(request.path) ?? []
  const printer = printers.find((each) => each.name === name)
  if (!printer || request.method !== 'POST') return json(404, { error: 'There is no such printer' })
  const body = await readJson(request)
  try {
    return act(printer, order, body) ? empty(204) : json(404, { error: 'There is no such action' })
  } catch (error) {
    return json(409, { error: error instanceof Error ? error.message : 'It did not work' })
  }
}
