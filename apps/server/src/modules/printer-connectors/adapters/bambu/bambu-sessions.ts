import { type X509Certificate, randomInt, randomUUID } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { type BambuAddress, parseBambuAddress } from '@pegasus/contracts/print-queue/bambu-address'
import * as z from 'zod/mini'
import { MINUTE_MS } from '../../../../platform/clock.ts'
import { DeviceCallError } from '../../../../platform/outbound/device-fault.ts'
import type { DeviceSocket } from '../../../../platform/outbound/device-socket.ts'
import { PrinterError, printerWords } from '../../connector.ts'
import { garbageError, networkError, refusedError } from '../../printer-errors.ts'
import type { PrinterAccess } from '../../printer-calls.ts'
import { type FtpsClient, openFtps } from './ftps-client.ts'
import { type MqttSession, openMqttSession } from './mqtt-session.ts'

export const BAMBU_USER = 'bblp'
/** Minimum time between two requests for a full report. A P1 becomes slow if it is asked more often. */
const FULL_REPORT_EVERY_MS = 5 * MINUTE_MS
/**
 * A connection that is not used for this time is closed. The time is longer than the longest pause between two polls.
 */
const KEPT_IDLE_MS = 2 * MINUTE_MS

/** The fields of a printer's report that we use. A report contains only the fields that have changed. */
const REPORT = {
  gcode_state: z.string(),
  gcode_file: z.string(),
  /** When the printer began the print, in seconds. A print in a cloud account or at the screen has one, too. */
  gcode_start_time: z.string(),
  subtask_name: z.string(),
  mc_percent: z.number(),
  mc_remaining_time: z.number(),
  print_error: z.number(),
}
export type BambuReport = { [Field in keyof typeof REPORT]?: z.output<(typeof REPORT)[Field]> }

const message = z.object({ print: z.optional(z.record(z.string(), z.unknown())) })
const answer = z.object({
  command: z.string(),
  sequence_id: z.optional(z.string()),
  result: z.string(),
  reason: z.optional(z.string()),
})

/** A command to the printer, such as `pause`, with its fields. */
export type BambuCommand = { command: string } & Record<string, unknown>

/**
 * Access to one Bambu printer. `certificate` is the fingerprint of the first certificate that the printer
 * showed.
 */
export interface BambuAccess extends PrinterAccess {
  id: string
  certificate: string | null
}

/** A connection to a printer that stays open between polls. Every call throws PrinterError. */
export interface BambuSession {
  /** Checks that the printer responds, and returns everything that it has reported so far. */
  read(): Promise<BambuReport>
  /** Sends a command, and waits until the printer has accepted it. */
  order(command: BambuCommand): Promise<void>
}

/**
 * The connections to Bambu printers. Each process keeps one connection to each printer, because a printer accepts only
 * a few connections, and reports only what has changed. If a connection is lost, no data is lost, because the printer
 * reports everything again.
 */
export interface BambuSessions {
  /** Returns the open connection to a printer, or opens one. Throws PrinterError. */
  open(access: BambuAccess): Promise<BambuSession>
  /** Opens a connection to the printer's file store. Throws PrinterError. */
  openFiles(access: BambuAccess, signal?: AbortSignal): Promise<FtpsClient>
  close(): void
}

const CHANGED_CERTIFICATE =
  'The certificate of the printer has changed, so the access code was not sent. If the printer was reset or replaced, an admin must enter its access code again.'
const OTHER_SERIAL = 'The certificate belongs to another serial number. Check the address of the printer.'
const NO_SERIAL =
  'The certificate does not contain the serial number. Enter it after the address: 192.168.1.20/01S00C123456789.'
const NO_ADDRESS = 'This is not the address of a Bambu printer.'

const refuse = (sentence: string): PrinterError =>
  new PrinterError('key', sentence, { mayHaveHappened: false })

/** Returns the serial number of the printer from its certificate, or null if the certificate has none. */
function serialOf({ subject }: X509Certificate): string | null {
  return /(?:^|\n)CN=([A-Z0-9]{8,32})(?:\n|$)/i.exec(subject)?.[1]?.toUpperCase() ?? null
}

/**
 * Returns the fingerprint and the serial number of a certificate. Throws PrinterError if it belongs to
 * another printer.
 */
function checkCertificate(
  socket: TLSSocket,
  { serial: entered }: BambuAddress,
  pinned: string | null,
): { fingerprint: string; serial: string } {
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) throw garbageError()
  const fingerprint = certificate.fingerprint256
  if (pinned !== null && fingerprint !== pinned) throw refuse(CHANGED_CERTIFICATE)
  const named = serialOf(certificate)
  if (entered !== null && named !== null && named !== entered) throw refuse(OTHER_SERIAL)
  const serial = entered ?? named
  if (serial === null) throw refuse(NO_SERIAL)
  return { fingerprint, serial }
}

export function createBambuSessions(deps: {
  sockets: DeviceSocket
  /**
   * Stores the first certificate of a printer. Returns the stored certificate, which may come from another
   * process.
   */
  keepCertificate(access: BambuAccess, fingerprint: string): Promise<string | null>
}): BambuSessions {
  const { sockets, keepCertificate } = deps
  interface Kept {
    access: BambuAccess
    session: Promise<OpenSession & { fingerprint: string }>
    timer: NodeJS.Timeout
  }
  const sessions = new Map<string, Kept>()

  const drop = (id: string): void => {
    const known = sessions.get(id)
    if (!known) return
    sessions.delete(id)
    clearTimeout(known.timer)
    known.session.then(
      ({ close }) => close(),
      () => undefined,
    )
  }
  const connect = async (access: BambuAccess): Promise<OpenSession & { fingerprint: string }> => {
    const address = addressOf(access)
    const target = { host: address.host, port: address.mqttPort }
    const socket = await sockets.open(target).catch(asPrinterError)
    try {
      const { fingerprint, serial } = checkCertificate(socket, address, access.certificate)
      const opened = await openSession(socket, { serial, access, answerMs: sockets.limits.answerMs })
      // Store the certificate only after the printer has accepted the access code. Otherwise, a mistyped address would
      // fix the certificate of another printer.
      const isKept =
        access.certificate !== null || (await keepCertificate(access, fingerprint)) === fingerprint
      if (!isKept) throw refuse(CHANGED_CERTIFICATE)
      return Object.assign(opened, { fingerprint })
    } catch (error) {
      socket.destroy()
      throw error
    }
  }

  const open = async (access: BambuAccess): Promise<OpenSession & { fingerprint: string }> => {
    const existing = sessions.get(access.id)
    if (existing) {
      const current = await existing.session.catch(() => null)
      const isSame =
        existing.access === access ||
        (existing.access.address === access.address &&
          existing.access.apiKey === access.apiKey &&
          current?.fingerprint === access.certificate)
      if (current?.isOpen && isSame) {
        existing.timer.refresh()
        return current
      }
      // Another caller may have opened a new connection while this one waited.
      if (sessions.get(access.id) !== existing) return open(access)
      drop(access.id)
    }
    const session = connect(access)
    const timer = setTimeout(() => drop(access.id), KEPT_IDLE_MS)
    timer.unref()
    sessions.set(access.id, { access, session, timer })
    return session
  }

  return {
    open,
    async openFiles(access, signal) {
      const address = addressOf(access)
      const pinned = access.certificate ?? (await open(access)).fingerprint
      return openFtps({
        sockets,
        target: { host: address.host, port: address.ftpsPort },
        user: BAMBU_USER,
        password: access.apiKey ?? '',
        check: (socket) => void checkCertificate(socket, address, pinned),
        signal,
      })
    },
    close() {
      for (const id of sessions.keys()) drop(id)
    },
  }
}

function addressOf({ address }: BambuAccess): BambuAddress {
  const parsed = parseBambuAddress(address)
  if (!parsed) throw new PrinterError('offline', NO_ADDRESS, { mayHaveHappened: false })
  return parsed
}

const asPrinterError = (error: unknown): never => {
  throw error instanceof DeviceCallError ? networkError(error) : error
}

interface OpenSession extends BambuSession {
  readonly isOpen: boolean
  close(): void
}

/** Signs in, and waits for the first full report. */
async function openSession(
  socket: TLSSocket,
  { serial, access, answerMs }: { serial: string; access: BambuAccess; answerMs: number },
): Promise<OpenSession> {
  const known: BambuReport = {}
  let sequence = randomInt(100_000, 1_000_000_000)
  let fullReportMs = performance.now()

  const onMessage = (payload: Buffer, mqtt: MqttSession): void => {
    const { print } = message.parse(JSON.parse(payload.toString('utf8')))
    if (print?.['command'] === 'push_status') {
      for (const [field, type] of Object.entries(REPORT)) {
        const parsed = type.safeParse(print[field])
        if (parsed.success) Object.assign(known, { [field]: parsed.data })
      }
      if (known.gcode_state !== undefined) mqtt.settle('report')
    } else if (print) {
      const parsed = answer.safeParse(print)
      if (parsed.success)
        mqtt.settle(`${parsed.data.command} ${parsed.data.sequence_id}`, refusalOf(parsed.data))
    }
  }
  const mqtt = await openMqttSession(socket, {
    clientId: `pegasus-ops-${randomUUID().slice(0, 8)}`,
    user: BAMBU_USER,
    password: access.apiKey ?? '',
    topic: `device/${serial}/report`,
    answerMs,
    onMessage,
  })
  const publish = (type: string, command: BambuCommand): Promise<void> =>
    mqtt.publish(
      `device/${serial}/request`,
      JSON.stringify({ [type]: { sequence_id: String(sequence), ...command } }),
    )
  const askFullReport = async (): Promise<void> => {
    fullReportMs = performance.now()
    await publish('pushing', { command: 'pushall', version: 1, push_target: 1 })
  }
  const both = async (first: Promise<void>, second: Promise<void>): Promise<void> => {
    await Promise.all([first, second])
  }

  try {
    await both(mqtt.wait('report'), askFullReport())
  } catch (error) {
    mqtt.close()
    throw error
  }
  return {
    get isOpen() {
      return mqtt.isOpen
    },
    async read() {
      if (performance.now() - fullReportMs > FULL_REPORT_EVERY_MS) await askFullReport()
      await mqtt.ping()
      return { ...known }
    },
    async order(command) {
      sequence += 1
      await both(mqtt.wait(`${command.command} ${sequence}`), publish('print', command))
    },
    close: () => mqtt.close(),
  }
}

function refusalOf({ result, reason }: z.output<typeof answer>): PrinterError | undefined {
  if (/^success$/i.test(result)) return undefined
  return refusedError(printerWords(reason), result.slice(0, 40), { mayHaveHappened: false })
}
