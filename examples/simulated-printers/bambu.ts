import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { misbehaveOn } from './faults.ts'
import { serveFtp } from './ftps-server.ts'
import { type ClientPacket, brokerPacket, createClientReader } from './mqtt-wire.ts'
import { type NetworkPrinter, type PrinterSettings, takeRequest } from './network-printer.ts'
import { type Print, Refused, type SimulatedPrinter } from './printer.ts'

const USER = 'bblp'
/** The error code that a printer shows after somebody has cancelled its print. */
const CANCELLED = 0x0300400c
const HEATER = 0x03008004

const STATES: Record<Print['state'], string> = {
  printing: 'RUNNING',
  paused: 'PAUSE',
  complete: 'FINISH',
  cancelled: 'FAILED',
  error: 'FAILED',
  interrupted: 'IDLE',
}

type Status = Record<string, string | number>

function statusOf(machine: SimulatedPrinter): Status {
  const print = machine.screen
  const progress = print ? machine.progressOf(print) : 0
  return {
    gcode_state: print ? STATES[print.state] : 'IDLE',
    gcode_file: print?.file.name ?? '',
    subtask_name: print?.file.name ?? '',
    gcode_start_time: print ? String(1_700_000_000 + machine.prints.indexOf(print)) : '0',
    mc_percent: Math.round(progress * 100),
    mc_remaining_time: print ? Math.ceil(print.file.minutes * (1 - progress)) : 0,
    print_error: print?.state === 'cancelled' ? CANCELLED : print?.state === 'error' ? HEATER : 0,
    nozzle_temper: 24,
  }
}

/** Executes a command. Returns the reason if it is refused, otherwise null. */
function obey(machine: SimulatedPrinter, command: Record<string, unknown>): string | null {
  try {
    switch (command['command']) {
      case 'project_file':
        machine.start(String(command['url']).replace(/^ftp:\/\/\//, ''))
        return null
      case 'pause':
        machine.pause()
        return null
      case 'resume':
        machine.resume()
        return null
      case 'stop':
        machine.cancel()
        return null
      default:
        return 'unknown command'
    }
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

/** A broker for one printer. It reports only the fields that have changed, like a P1. */
function serveMqtt(
  socket: TLSSocket,
  printer: NetworkPrinter,
  own: { serial: string; apiKey: string },
): void {
  const { machine } = printer
  const report = `device/${own.serial}/report`
  let sequence = 0
  let known: Status = {}

  const push = (isFull: boolean): Buffer[] => {
    const status = statusOf(machine)
    const changed = Object.fromEntries(
      Object.entries(status).filter(([name, value]) => isFull || known[name] !== value),
    )
    known = status
    if (Object.keys(changed).length === 0) return []
    sequence += 1
    const print = { command: 'push_status', msg: isFull ? 0 : 1, sequence_id: String(sequence), ...changed }
    return [brokerPacket.message(report, JSON.stringify({ print }))]
  }
  const obeyed = (id: number, command: Record<string, unknown>, refusal: string | null): Buffer[] => {
    const answer = refusal === null ? { result: 'success' } : { result: 'failed', reason: refusal }
    return [
      brokerPacket.acknowledged(id),
      brokerPacket.message(report, JSON.stringify({ print: { ...command, ...answer } })),
    ]
  }

  const requestOf = (packet: ClientPacket): { line: string; answer(): Buffer[] } | null => {
    switch (packet.kind) {
      case 'connect': {
        const isKnown = packet.user === USER && packet.password === own.apiKey
        return { line: 'MQTT CONNECT', answer: () => [brokerPacket.connected(isKnown ? 0 : 5)] }
      }
      case 'subscribe':
        // A client that subscribes to the reports of another printer gets no response.
        return packet.topic === report
          ? { line: 'MQTT SUBSCRIBE', answer: () => [brokerPacket.subscribed(packet.id)] }
          : null
      case 'ping':
        return { line: 'MQTT PINGREQ', answer: () => [...push(false), brokerPacket.pong()] }
      case 'publish': {
        const sent = JSON.parse(packet.payload) as Record<string, Record<string, unknown>>
        const [type = '', command = {}] = Object.entries(sent)[0] ?? []
        const line = `MQTT ${type}.${String(command['command'])}`
        if (type === 'pushing')
          return { line, answer: () => [brokerPacket.acknowledged(packet.id), ...push(true)] }
        printer.commands.push(command)
        return { line, answer: () => obeyed(packet.id, command, obey(machine, command)) }
      }
      case 'other':
        return null
    }
  }

  const refuse = (packet: ClientPacket): Buffer[] => {
    if (packet.kind !== 'publish') return []
    const sent = JSON.parse(packet.payload) as { print?: Record<string, unknown> }
    return obeyed(packet.id, sent.print ?? {}, 'No space left on device')
  }
  const serve = async (packet: ClientPacket): Promise<void> => {
    const request = requestOf(packet)
    if (!request) return
    const { fault, reply } = await takeRequest(printer, request.line, request.answer)
    if (fault?.kind === 'key') socket.end(brokerPacket.connected(5))
    else if (fault?.kind === 'refused') socket.write(Buffer.concat(refuse(packet)))
    else if (fault) misbehaveOn(socket, fault, Buffer.concat(reply ?? []))
    else socket.write(Buffer.concat(reply ?? []))
  }
  const read = createClientReader()
  let last = Promise.resolve()
  socket.on('data', (chunk: Buffer) => {
    for (const packet of read(chunk)) last = last.then(() => serve(packet)).catch(() => void socket.destroy())
  })
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await once(server.listen({ host, port }), 'listening')
  return (server.address() as AddressInfo).port
}

/** Starts a printer with a broker and a file store, both with TLS. */
export async function startBambuPrinter(
  printer: NetworkPrinter,
  { apiKey, port, certificate }: PrinterSettings,
  host: string,
): Promise<NetworkPrinter> {
  if (!certificate) throw new Error(`${printer.name} needs a certificate with its serial number as name`)
  const serial = /CN=([^\n]*)/.exec(new X509Certificate(certificate.cert).subject)?.[1] ?? ''
  const open = new Set<Socket>()
  const start = (serve: (socket: TLSSocket) => void): Server =>
    createServer(certificate, (socket) => {
      socket.on('error', () => undefined)
      serve(socket)
    }).on('connection', (socket: Socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    })
  const broker = start((socket) => serveMqtt(socket, printer, { serial, apiKey }))
  const files = start((socket) => serveFtp(socket, printer, { user: USER, password: apiKey, certificate }))
  const mqttPort = await listen(broker, host, port)
  const ftpsPort = await listen(files, host, port === 0 ? 0 : port + 1)
  return Object.assign(printer, {
    url: `${host}:${mqttPort},${ftpsPort}`,
    async close() {
      for (const socket of open) socket.destroy()
      await Promise.all([broker, files].map((server) => new Promise((resolve) => server.close(resolve))))
    },
  })
}
