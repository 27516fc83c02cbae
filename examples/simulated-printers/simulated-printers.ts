import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerAdmin } from './admin.ts'
import { startBambuPrinter } from './bambu.ts'
import { answerCamera } from './camera-picture.ts'
import { misbehave } from './faults.ts'
import { answerMoonraker } from './moonraker.ts'
import { type NetworkPrinter, type PrinterSettings, takeRequest } from './network-printer.ts'
import { answerOctoPrint } from './octoprint.ts'
import { SimulatedPrinter } from './printer.ts'
import { answerPrusaLink } from './prusalink.ts'
import type { PrinterReply, PrinterRequest } from './wire.ts'

export type { NetworkPrinter, PrinterSettings, Protocol } from './network-printer.ts'

/** The protocols over HTTP. */
const PROTOCOLS = {
  moonraker: answerMoonraker,
  octoprint: answerOctoPrint,
  prusalink: answerPrusaLink,
} as const

export interface SimulatedPrinters {
  printers: NetworkPrinter[]
  /** Address at which tests and people can cause faults. Null without an admin port. */
  adminUrl: string | null
  close(): Promise<void>
}

const MAX_UPLOAD_BYTES = 600 * 1024 * 1024

/** Starts the printers, each on its own port. */
export async function startSimulatedPrinters(options: {
  host: string
  printers: readonly PrinterSettings[]
  /** Speed of the printers, as a multiple of a real printer's speed. */
  speed: number
  /** The port of the admin address; null for no admin address, and 0 for any free port. */
  adminPort: number | null
}): Promise<SimulatedPrinters> {
  const { host, speed, adminPort } = options
  const printers = await Promise.all(
    options.printers.map((settings) => startPrinter(settings, { host, speed })),
  )
  const admin =
    adminPort === null
      ? null
      : await listen(
          createServer((request, response) => {
            void readRequest(request)
              .then((asked) => answerAdmin(printers, asked))
              .catch(failed)
              .then((reply) => send(response, reply))
          }),
          host,
          adminPort,
        )
  return {
    printers,
    adminUrl: admin?.url ?? null,
    async close() {
      await Promise.all([...printers, ...(admin ? [admin] : [])].map((each) => each.close()))
    },
  }
}

async function startPrinter(
  settings: PrinterSettings,
  { host, speed }: { host: string; speed: number },
): Promise<NetworkPrinter> {
  const { name, protocol, port, apiKey } = settings
  const machine = new SimulatedPrinter({ name, speed })
  const printer: NetworkPrinter = {
    name,
    protocol,
    url: '',
    machine,
    faults: [],
    requests: [],
    commands: [],
    watch: null,
    close: () => Promise.resolve(),
  }
  if (protocol === 'bambu') return startBambuPrinter(printer, settings, host)
  const answerHttp = PROTOCOLS[protocol]
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = readRequestHead(request)
    const line = `${asked.method} ${asked.path}`
    const { fault, reply } = await takeRequest(printer, line, () =>
      answerHttp(machine, asked, apiKey).catch(failed),
    )
    if (fault && misbehave(fault, response, reply)) return
    if (reply) send(response, reply)
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void serve(request, response)
  })
  const { url, close } = await listen(server, host, port)
  if (protocol !== 'moonraker') return Object.assign(printer, { url, close })
  const camera = await startCamera(machine, host)
  machine.cameraPort = Number(new URL(camera.url).port)
  return Object.assign(printer, {
    url,
    close: async () => {
      await Promise.all([close(), camera.close()])
    },
  })
}

/** Starts the server of a camera on a port of its own, as crowsnest runs beside Moonraker. */
const startCamera = (machine: SimulatedPrinter, host: string) =>
  listen(
    createServer((_, response) => {
      void answerCamera(machine)
        .catch(failed)
        .then((reply) => send(response, reply))
    }),
    host,
    0,
  )

function readRequestHead(request: IncomingMessage): PrinterRequest {
  const url = new URL(request.url ?? '/', 'http://printer')
  return {
    method: request.method ?? 'GET',
    url,
    path: decodeURIComponent(url.pathname),
    headers: request.headers,
    body: () => readBody(request),
  }
}

const readRequest = (request: IncomingMessage): Promise<PrinterRequest> =>
  Promise.resolve(readRequestHead(request))

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > MAX_UPLOAD_BYTES) throw new Error('The request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const failed = (error: unknown): PrinterReply => ({
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { code: 500, message: error instanceof Error ? error.message : 'Failed' } }),
})

function send(response: ServerResponse, { status, headers = {}, body = '' }: PrinterReply): void {
  response.writeHead(status, headers)
  response.end(body)
}

async function listen(
  server: Server,
  host: string,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  await once(server.listen({ host, port }), 'listening')
  const { port: found } = server.address() as AddressInfo
  return {
    url: `http://${host}:${found}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
