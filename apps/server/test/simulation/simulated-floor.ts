import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { IssuedApiKey } from '@pegasus/contracts/api-keys'
import type { Spool } from '@pegasus/contracts/filament/spools'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Database } from '../../src/platform/database/database.ts'
import { addSlicedModel } from '../process/dispatch-floor.ts'
import { ageRefusals, ageStarts, databaseOf, forgetTime } from '../process/product-database.ts'
import {
  type ProductProcess,
  bearer,
  canSignIn,
  makeDataFolder,
  postmasterOf,
  sendSignal,
  signIn,
  startProduct,
  until,
} from '../process/product-process.ts'
import {
  PRINTER_KEY,
  type Protocol,
  type SimulatedPrinter,
  aPrint,
  simulatedPrinters,
} from '../servers/simulated-printers.ts'

/** The protocols of the six network printers. Printer 7 is worked by a person, and printer 8 by an agent. */
const PROTOCOLS: readonly Protocol[] = [
  'moonraker',
  'moonraker',
  'octoprint',
  'octoprint',
  'prusalink',
  'bambu',
]
const MODEL = 'MK4S'
const SPOOL_GRAMS = 1_000_000
const PATIENCE_MS = 60_000
/** Number of times that a request is sent while the server responds that it is busy. */
const MOST_ATTEMPTS = 8
const MAIN = fileURLToPath(new URL('./floor-product.ts', import.meta.url))

/** The moment of a kill: before or after a printer acts on its next request. */
export type KillPhase = 'before' | 'after'

/** A network printer with a bed that can hold one plate. */
export interface Machine {
  id: string
  protocol: Protocol
  printer: SimulatedPrinter
  /** Whether a print is on the bed. Only a person removes it. */
  isBedFull: boolean
}

/** The status and body of a response, or null if the server was killed before it responded. */
export type Answer = { status: number; body: unknown } | null

export interface SimulatedFloor {
  machines: Machine[]
  manualId: string
  agentId: string
  itemIds: string[]
  /**
   * The spools that are loaded at random. The printers without a network keep their spools, because the server books no
   * filament for a printer without a spool.
   */
  spareIds: string[]
  /** Violations of the rules that must always hold, one sentence each. */
  violations: string[]
  send(method: string, path: string, body?: object, headers?: object): Promise<Answer>
  /** Sends a request of the agent, with its API key. */
  sendAgent(path: string, body: object): Promise<Answer>
  database(): Database
  /** Lets the server visit every network printer once. */
  round(): Promise<void>
  /**
   * Makes all start commands so old that the server no longer waits for them. The simulation is faster than the real
   * time that the server waits.
   */
  passTime(): Promise<void>
  /** Lets enough time pass for a refused upload to be tried again. */
  passUploadPause(): Promise<void>
  /** Kills the server with its database. */
  kill(): void
  /** Kills the server, or only its database, at the next request to any printer. */
  killAtNextRequest(phase: KillPhase, what?: 'product' | 'database'): Promise<void>
  /** Kills only the database. The server starts it again by itself. */
  killDatabase(): Promise<void>
  /**
   * Switches one printer off and on at its next request. Its print is lost, and it does not respond to its next
   * requests.
   */
  killPrinter(machine: Machine, phase: KillPhase): Promise<void>
  /** Whether the server or its database was killed and has not been started again yet. */
  isDown(): boolean
  /** Starts a killed server again, or waits until it has started its killed database. */
  revive(): Promise<void>
}

type KillTarget = 'product' | 'database' | Machine

/** Starts the server with its printers, spools and items. It can be killed and started again on the same data. */
export async function aSimulatedFloor(): Promise<SimulatedFloor> {
  const dataDir = await makeDataFolder()
  const simulated = await simulatedPrinters(PROTOCOLS)
  let product: ProductProcess = await startProduct(dataDir, {}, MAIN)
  let token = (await signIn(product.url)).access_token
  let database = await databaseOf(dataDir)
  const violations: string[] = []
  let agentKey = ''
  let isKilled = false
  /** The process id of the killed database; null if the whole server was killed. */
  let killedDatabase: number | null = null

  const call = async (method: string, path: string, headers: object, body?: object): Promise<Answer> => {
    const request = {
      method,
      headers: {
        'idempotency-key': randomUUID(),
        ...headers,
        'if-match': '*',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }
    try {
      for (let attempt = 1; ; attempt += 1) {
        const response = await fetch(`${product.url}${path}`, request)
        const text = await response.text()
        // A busy server asks the client to repeat the request later. The idempotency key makes sure that it happens
        // only once.
        if (response.status === 503 && !isKilled && attempt < MOST_ATTEMPTS) {
          await setTimeout(Number(response.headers.get('retry-after') ?? 1) * 1000)
          continue
        }
        if (response.status >= 500 && !isKilled)
          violations.push(`${method} ${path}: ${response.status} ${text}`)
        return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
      }
    } catch {
      return null
    }
  }
  const send = (method: string, path: string, body?: object, headers: object = {}): Promise<Answer> =>
    call(method, path, { ...bearer(token), ...headers }, body)
  const add = async <T>(path: string, body: object): Promise<T> => {
    const answer = await send('POST', path, body)
    if (answer?.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.body as T
  }

  const spoolIds: string[] = []
  for (let n = 0; n < 10; n += 1) {
    const spool = { material: 'PLA', brand: 'Brand', color: 'White', weight_grams: SPOOL_GRAMS, cost: 20 }
    spoolIds.push((await add<Spool>('/api/filament', spool)).id)
  }
  const slots = (n: number) => [{ slot: 1, filament_id: spoolIds[n] }]
  const machines: Machine[] = []
  for (const [n, printer] of simulated.entries()) {
    const protocol = PROTOCOLS[n] ?? 'moonraker'
    const { id } = await add<Printer>('/api/printers', {
      name: `${protocol} ${n + 1}`,
      kind: protocol,
      model: MODEL,
      nozzle_mm: 0.4,
      address: printer.url,
      api_key: PRINTER_KEY,
      takes_jobs: true,
      slots: slots(n),
    })
    machines.push({ id, protocol, printer, isBedFull: false })
  }
  const manual = await add<Printer>('/api/printers', { name: 'By hand', model: MODEL, slots: slots(6) })
  const agent = await add<Printer>('/api/printers', {
    name: 'Agent',
    kind: 'agent',
    model: MODEL,
    slots: slots(7),
  })
  const [owner] = await database.sql<[{ id: string }]>`select id from accounts order by created_at limit 1`
  const key = { user_id: owner.id, label: 'Agent', scope: ['print-jobs'] }
  agentKey = (await add<IssuedApiKey>('/api/api-keys', key)).key
  const itemIds: string[] = []
  for (const [n, name] of ['Dragon', 'Gear', 'Vase'].entries()) {
    const bytes = aPrint({ minutes: 60 + 30 * n, mm: 4000 + n })
    const modelId = await addSlicedModel(database, { dataDir, bytes, kind: 'moonraker', pieces: 2 })
    // Each file gets another length, because equal bytes would be stored as one sliced file.
    const other = aPrint({ minutes: 60 + 30 * n, mm: 4010 + n })
    await addSlicedModel(database, { dataDir, bytes: other, kind: 'bambu', pieces: 2, modelId })
    const item = {
      name,
      sku: name.toUpperCase(),
      quantity: 0,
      stl_file_id: modelId,
      material_used: 'PLA',
      weight_grams: 6,
    }
    itemIds.push((await add<InventoryItem>('/api/inventory', item)).id)
  }

  /** Returns the last prints and plates of a machine as text, newest first. */
  const lastPrints = async ({ id, printer }: Machine): Promise<string> => {
    const plates = await database.sql`
      select remote_name, state, failure_reason, started_at, finished_at from job_plates
      where printer_id = ${id} order by started_at desc limit 4`.catch((error: unknown) => String(error))
    const prints = printer.machine.prints
      .slice(-4)
      .toReversed()
      .map(({ file, state, by }) => [file.name, state, by])
    return JSON.stringify({ prints, plates })
  }

  let armed: { target: KillTarget; phase: KillPhase } | null = null
  const kill = (): void => {
    isKilled = true
    product.signalGroup('SIGKILL')
  }
  const killDatabase = async (): Promise<void> => {
    isKilled = true
    killedDatabase = await postmasterOf(dataDir)
    sendSignal(killedDatabase, 'SIGKILL')
  }
  /**
   * Carries out the planned kill when a request reaches a printer. Records a violation if the server starts a print on
   * a bed that is not free.
   */
  const watch = (machine: Machine): void => {
    let known = 0
    machine.printer.watch = async (_request, phase) => {
      if (armed?.phase === phase && armed.target === 'product') {
        armed = null
        kill()
        await product.ended
      } else if (armed?.phase === phase && armed.target === 'database') {
        armed = null
        await killDatabase()
      } else if (armed?.phase === phase && armed.target === machine) {
        armed = null
        machine.printer.machine.reboot()
        machine.printer.faults.push({ kind: 'lost', times: 3 })
      }
      const { prints } = machine.printer.machine
      if (phase === 'before' || prints.length === known) return
      known = prints.length
      const print = prints.at(-1)
      if (print?.by !== 'network') return
      const isFull = machine.isBedFull
      machine.isBedFull = true
      if (isFull)
        violations.push(
          `${machine.protocol} starts ${print.file.name} onto a full bed, after ${await lastPrints(machine)}`,
        )
    }
  }
  for (const machine of machines) watch(machine)

  /** Asks the server to visit its printers, and waits until it has visited them or was killed. */
  const visit = async (): Promise<void> => {
    if (isKilled || !product.child.connected) return
    const visited = new Promise<void>((resolve) => product.child.once('message', () => resolve()))
    product.child.send('visit')
    const isOver = await Promise.race([
      visited.then(() => true),
      product.ended.then(() => true),
      until(() => Promise.resolve(false), PATIENCE_MS, PATIENCE_MS),
    ])
    if (!isOver) violations.push('the printers were not visited within a minute')
  }

  return {
    machines,
    manualId: manual.id,
    agentId: agent.id,
    itemIds,
    spareIds: spoolIds.filter((_, n) => n !== 6 && n !== 7),
    violations,
    send,
    sendAgent: (path, body) => call('POST', path, { 'x-api-key': agentKey }, body),
    database: () => database,
    round: visit,
    async passTime() {
      await ageStarts(database)
    },
    async passUploadPause() {
      await ageRefusals(database)
    },
    kill,
    async killAtNextRequest(phase, what = 'product') {
      armed = { target: what, phase }
      await visit()
      // No request was sent, because another process may have claimed every printer. In that case, kill now.
      const isMissed = armed !== null
      armed = null
      if (isMissed) await (what === 'product' ? kill() : killDatabase())
      if (what === 'product') await product.ended
    },
    killDatabase,
    async killPrinter(machine, phase) {
      armed = { target: machine, phase }
      await visit()
      armed = null
    },
    isDown: () => isKilled,
    async revive() {
      await database.close().catch(() => undefined)
      const deadPid = killedDatabase
      if (deadPid === null) {
        await product.ended
        product = await startProduct(dataDir, {}, MAIN)
      } else {
        const isHealed = async () =>
          (await postmasterOf(dataDir).catch(() => deadPid)) !== deadPid && (await canSignIn(product.url))
        if (!(await until(isHealed, PATIENCE_MS))) violations.push('the database was not started again')
        killedDatabase = null
      }
      token = (await signIn(product.url)).access_token
      database = await databaseOf(dataDir)
      await forgetTime(database)
      isKilled = false
    },
  }
}
