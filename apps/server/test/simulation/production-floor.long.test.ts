import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { findContradictions } from './floor-invariants.ts'
import { randomFrom } from './random.ts'
import { type Machine, type SimulatedFloor, aSimulatedFloor } from './simulated-floor.ts'

/**
 * Number of random events for each seed. 10,000 events take about a quarter of an hour. `PEGASUS_EVENTS` overrides it.
 */
const EVENTS = Number(process.env['PEGASUS_EVENTS'] ?? 10_000)
/** The seeds of the random numbers, so that a failure can be reproduced. */
const SEEDS = (process.env['PEGASUS_SEEDS'] ?? '18,2026').split(',').map(Number)
/** Each kind of kill happens at least once. */
const KILLS = Math.max(8, Math.round(EVENTS / 100))
/** Number of events after which the server polls every printer once. */
const EVENTS_PER_ROUND = 12
/** Number of events after which the invariants are checked. */
const EVENTS_PER_CHECK = 40
const MOST_ROUNDS_AT_END = 60
const FAULTS = ['lost', 'lost-answer', 'garbage', 'key', 'refused'] as const
/** The requests that upload and start a print. Faults strike them more often than other requests. */
const UPLOAD_AND_START: Readonly<Record<Machine['protocol'], readonly string[]>> = {
  moonraker: ['POST /server/files/upload', 'POST /printer/print/start'],
  octoprint: ['POST /api/files/local', 'POST /api/files/local/'],
  prusalink: ['PUT /api/v1/files/', 'POST /api/v1/files/'],
  bambu: ['FTP STOR', 'MQTT print.project_file'],
}
const SKUS = ['DRAGON', 'GEAR', 'VASE']

interface World {
  floor: SimulatedFloor
  random: () => number
  /** Returns a whole number from 0 up to, but not including, the limit. */
  below(limit: number): number
  /** The job that the agent prints. */
  agentJob: AgentJob | null
  /** Whether a finished print is on the bed of the agent's printer. */
  isAgentBedFull: boolean
  /** Number of plates that the agent can have completed. */
  agentCompletions: number
  orders: number
  /** The last report of each printer that its bed was cleared, so that it can be sent once more. */
  clears: Map<string, ClearReport>
}

interface ClearReport {
  path: string
  body: object
  key: { 'idempotency-key': string }
}

const pick = <T>({ below }: World, list: readonly T[]): T | undefined => list[below(list.length)]

async function listJobs({ floor }: World, status: string): Promise<PrintJob[]> {
  const answer = await floor.send('GET', `/api/print-queue?limit=50&status=${status}`)
  return (answer?.status === 200 ? answer.body : []) as PrintJob[]
}

/**
 * Simulates a person who changes the queue: adds a job, or changes the state, quantity or printer of an
 * existing one.
 */
async function changeQueue(world: World): Promise<void> {
  const { floor, below } = world
  const step = below(100)
  if (step < 45) {
    await floor.send('POST', '/api/print-queue', {
      inventory_item_id: pick(world, floor.itemIds),
      quantity: 1 + below(6),
      ...(below(4) > 0 && { pieces_per_plate: 2 }),
      priority: 1 + below(5),
    })
    return
  }
  if (step < 60) {
    world.orders += 1
    const placed = await floor.send('POST', '/api/orders', {
      order_number: `SIM-${world.orders}`,
      customer_name: 'Ada',
      items: [{ sku: pick(world, SKUS), name: 'Part', quantity: 1 + below(8), unit_price: 20 }],
    })
    // Two people accept the proposal at the same time.
    if (placed?.status === 201)
      await Promise.all([1, 2].map(() => floor.send('POST', `/api/orders/${(placed.body as Order).id}/plan`)))
    return
  }
  const job = pick(
    world,
    await listJobs(world, pick(world, ['pending', 'in_progress', 'on_hold', 'failed']) ?? ''),
  )
  if (!job) return
  const path = `/api/print-queue/${job.id}`
  if (step < 68) await floor.send('PUT', path, { quantity: 1 + below(8) })
  else if (step < 74) await floor.send('POST', `${path}/cancel`, {})
  else if (step < 80) await floor.send('POST', `${path}/hold`, { reason: 'Later' })
  else if (step < 88) await floor.send('POST', `${path}/requeue`)
  else if (step < 94) await floor.send('POST', `${path}/${below(2) ? 'pause' : 'resume'}`, {})
  else await floor.send('POST', `${path}/assign`, { printer_id: pick(world, floor.machines)?.id })
}

/** A person undoes the last completion of a job. */
async function undo(world: World): Promise<void> {
  const job = pick(world, (await listJobs(world, 'completed')).slice(0, 5))
  // An undone plate is running again, but its print is no longer on a bed, so nobody would clear it. Therefore,
  // complete the job immediately.
  if (!job) return
  const undone = await world.floor.send('POST', `/api/print-queue/${job.id}/undo`)
  if (undone?.status !== 200) return
  const { printer_id: printerId } = undone.body as PrintJob
  const isFull =
    printerId === world.floor.agentId
      ? world.isAgentBedFull
      : world.floor.machines.some(({ id, isBedFull }) => id === printerId && isBedFull)
  const body = { rejected_quantity: 0, cleared: !isFull }
  await world.floor.send('POST', `/api/print-queue/${job.id}/complete`, body)
}

/**
 * Simulates a person who operates a machine: changes its running print, confirms the end of a print, or
 * starts a print by hand.
 */
async function actAtMachine({ floor, below }: World, machine: Machine): Promise<void> {
  const { machine: simulated, faults } = machine.printer
  if (simulated.running) {
    const acts = ['cancel', 'fail', 'reboot', 'pause', 'resume'] as const
    const act = acts[below(acts.length)] ?? 'pause'
    if (act === 'fail') simulated.fail('Heater fault')
    else simulated[act]()
  } else if (machine.isBedFull) simulated.acknowledge()
  else {
    // The server must see a print that a person starts, so let no request fail and let it visit the printer.
    faults.length = 0
    machine.isBedFull = true
    simulated.upload('by-hand.gcode', Buffer.from(''))
    simulated.start('by-hand.gcode', 'machine')
    // The first round skips a printer that is already being visited, and that visit may have read the state
    // before the print was started.
    await floor.round()
    await floor.round()
  }
}

const OUT_OF_USE: readonly unknown[] = ['error', 'offline', 'maintenance']

/** Sends a report that a bed was cleared, and stores it if the server has accepted it. */
async function reportCleared(world: World, printerId: string, body: object): Promise<void> {
  const path = `/api/printers/${printerId}/clear`
  const key = { 'idempotency-key': `clear ${world.clears.size} ${world.random()}` }
  const answer = await world.floor.send('POST', path, body, key)
  if (answer?.status === 200) world.clears.set(printerId, { path, body, key })
}

/** A report that a bed was cleared arrives once more, after the next print may have begun. */
async function clearLate(world: World): Promise<void> {
  const { floor, agentJob } = world
  const late = pick(world, [...world.clears.values()])
  if (late) await floor.send('POST', late.path, late.body, late.key)
  if (agentJob) await floor.send('POST', `/api/printers/${floor.agentId}/clear`, {})
}

/** A person completes a finished plate in the print queue. Sometimes the person takes it off the bed before. */
async function completeOnBed(world: World, machine: Machine): Promise<void> {
  const { floor, below } = world
  const answer = await floor.send('GET', `/api/printers/${machine.id}`)
  const job = answer?.status === 200 ? (answer.body as Printer).current_job : null
  if (job?.plate_state !== 'printed') return
  const isOff = below(3) === 0
  if (isOff) machine.isBedFull = false
  const body = { plate_id: job.plate_id, ...(isOff && { cleared: true }) }
  await floor.send('POST', `/api/print-queue/${job.id}/complete`, body)
}

/** A person takes a plate off a bed and reports it. Sometimes two people report it. */
async function clearBed(world: World, machine: Machine): Promise<void> {
  const { floor, below } = world
  const answer = await floor.send('GET', `/api/printers/${machine.id}`)
  const printer = answer?.status === 200 ? (answer.body as Printer) : null
  const isAsked = printer?.state === 'needs_clearing'
  // A bed can also be cleared while its printer is out of use.
  const isCleared = isAsked || (OUT_OF_USE.includes(printer?.state) && below(3) === 0)
  if (!printer || !isCleared || machine.printer.machine.running) return
  machine.isBedFull = false
  const rejected = printer.current_job && below(4) === 0 ? 1 : 0
  const body = {
    plate_id: printer.current_job?.plate_id ?? null,
    ...(rejected > 0 && { rejected_quantity: rejected, reason: 'Stringing' }),
  }
  await Promise.all(Array.from({ length: 1 + below(2) }, () => reportCleared(world, machine.id, body)))
}

/** A person clears the printer of the agent, if it asks for it. */
async function clearAgentBed(world: World): Promise<void> {
  const { floor } = world
  const answer = await floor.send('GET', '/api/printers')
  const printers = (answer?.status === 200 ? answer.body : []) as Printer[]
  const full = printers.find(({ kind, state }) => kind === 'agent' && state === 'needs_clearing')
  if (!full) return
  world.isAgentBedFull = false
  await reportCleared(world, full.id, { plate_id: full.current_job?.plate_id ?? null })
}

/** Simulates the agent, which claims a job or reports about its job. */
async function actAsAgent(world: World): Promise<void> {
  const { floor, below, agentJob } = world
  if (!agentJob) {
    const body = { agent: 'simulated', printer: 'Agent', materials: ['PLA'], file_types: ['gcode'] }
    const claimed = await floor.sendAgent('/api/print-jobs/claim', body)
    world.agentJob = claimed?.status === 200 ? (claimed.body as AgentJob) : null
    if (world.agentJob && world.isAgentBedFull) floor.violations.push('the agent prints onto a full bed')
    if (claimed?.status === 204 && below(3) === 0) await clearAgentBed(world)
    return
  }
  const path = `/api/print-jobs/${agentJob.id}`
  const lease = { lease_id: agentJob.lease_id }
  const step = below(3)
  if (step === 0) {
    const told = await floor.sendAgent(`${path}/heartbeat`, { ...lease, progress: 0.5 })
    if (told && told.status !== 200) world.agentJob = null
    return
  }
  const result = step === 1 ? { reason: 'Warped', used_mm: 1000 } : { used_grams: 12, print_minutes: 90 }
  const end = { ...result, cleared: below(2) === 0 }
  // The agent repeats a report until it gets a response.
  const told = await floor.sendAgent(`${path}/${step === 1 ? 'fail' : 'complete'}`, { ...lease, ...end })
  if (told === null || told.status === 200) {
    world.isAgentBedFull = !end.cleared
    if (step === 2) world.agentCompletions += 1
  }
  if (told) world.agentJob = null
}

/** Records plates of the agent's printer that count as printed although the agent has not completed them. */
async function findPhantoms({ floor, agentCompletions }: World): Promise<void> {
  const [row] = await floor.database().sql<[{ done: number }]>`
    select count(*)::int as done from job_plates where printer_id = ${floor.agentId} and state = 'done'`
  if (row.done > agentCompletions)
    floor.violations.push(
      `${row.done} plates of the agent are done, but it has completed ${agentCompletions}`,
    )
}

/** A person starts or ends a print on the printer without a network. */
async function printByHand(world: World): Promise<void> {
  const { floor, below } = world
  const answer = await floor.send('GET', `/api/printers/${floor.manualId}`)
  const printer = answer?.status === 200 ? (answer.body as Printer) : null
  if (printer?.current_job) {
    const { id, plate_id } = printer.current_job
    await floor.send('POST', `/api/print-queue/${id}/complete`, {
      plate_id,
      used_grams: 12,
      // Without a named spool, the filament is booked on the spool in the printer's slot.
      ...(below(2) === 0 && { filament_id: printer.slots[0]?.filament_id }),
    })
  } else {
    const job = pick(world, await listJobs(world, 'pending'))
    if (job) await floor.send('POST', `/api/print-queue/${job.id}/start`, { printer: 'By hand' })
  }
}

/**
 * One random event. If the server is killed during the event, the event is not a print by hand: that print could end
 * before the server sees it, and nobody would know that the bed is full.
 */
async function doSomething(world: World, { isKilled = false } = {}): Promise<void> {
  const { floor, below } = world
  const machine = pick(world, floor.machines)
  if (!machine) return
  const step = below(100)
  if (step < 22) return changeQueue(world)
  if (step < 24) return undo(world)
  if (step < 50) {
    // Advance the time of all printers.
    const minutes = 10 + below(30)
    for (const { printer } of floor.machines) printer.machine.advance(minutes)
    return
  }
  if (step < 56) {
    const isByHand = !machine.printer.machine.running && !machine.isBedFull
    return isKilled && isByHand ? doSomething(world, { isKilled }) : actAtMachine(world, machine)
  }
  if (step < 62) {
    const kind = pick(world, FAULTS) ?? 'lost'
    const only = below(2) === 0 ? pick(world, UPLOAD_AND_START[machine.protocol]) : undefined
    machine.printer.faults.push({ kind, times: 1 + below(3), ...(only && { only }) })
    return
  }
  if (step < 80) return clearBed(world, machine)
  if (step < 82) return completeOnBed(world, machine)
  if (step < 84) return clearLate(world)
  if (step < 88) {
    const path = `/api/printers/${machine.id}`
    const acts = [
      () => floor.send('POST', `${path}/maintenance`, { reason: 'New nozzle' }),
      () => floor.send('POST', `${path}/resume`),
      () => floor.send('POST', `${path}/load`, { slot: 1, filament_id: pick(world, floor.spareIds) }),
    ]
    await pick(world, acts)?.()
    return
  }
  await (step < 95 ? actAsAgent(world) : printByHand(world))
}

/** Ends all prints and jobs, as people do at the end of a day. Returns whether the floor is empty. */
async function endTheDay(world: World): Promise<boolean> {
  const { floor } = world
  for (let round = 0; round < MOST_ROUNDS_AT_END; round += 1) {
    for (const status of ['pending', 'on_hold'])
      for (const job of await listJobs(world, status))
        await floor.send('POST', `/api/print-queue/${job.id}/cancel`, {})
    if (world.agentJob) await actAsAgent(world)
    for (const { printer } of floor.machines) {
      printer.faults.length = 0
      if (printer.machine.running?.state === 'paused') printer.machine.resume()
      if (printer.machine.running) printer.machine.advance(1000)
    }
    await floor.passTime()
    await floor.round()
    const printers = ((await floor.send('GET', '/api/printers'))?.body ?? []) as Printer[]
    const manual = printers.find(({ id }) => id === floor.manualId)
    if (manual?.current_job) await printByHand(world)
    await clearAgentBed(world)
    for (const { id, state } of printers) {
      const machine = floor.machines.find((each) => each.id === id)
      if (state === 'maintenance') await floor.send('POST', `/api/printers/${id}/resume`)
      if (machine && (state === 'error' || state === 'offline')) machine.printer.machine.acknowledge()
      if (machine && state === 'needs_clearing') await clearBed(world, machine)
    }
    const jobs = await listJobs(world, 'in_progress')
    const isIdle = printers.every(({ state, current_job: job }) => state === 'available' && job === null)
    if (isIdle && jobs.length === 0) return true
  }
  return false
}

/** The kills, which take place in turn, each in the middle of another event. */
const KINDS_OF_KILL: readonly ((world: World) => Promise<void> | void)[] = [
  ({ floor }) => floor.kill(),
  ({ floor }) => floor.killAtNextRequest('after'),
  ({ floor }) => floor.killDatabase(),
  (world) => world.floor.killPrinter(pick(world, world.floor.machines) as Machine, 'after'),
  ({ floor }) => floor.killAtNextRequest('after', 'database'),
  ({ floor }) => floor.killAtNextRequest('before'),
  (world) => world.floor.killPrinter(pick(world, world.floor.machines) as Machine, 'before'),
  ({ floor }) => floor.killAtNextRequest('before', 'database'),
]

it.each(SEEDS)(
  'after random events, faults and kills on eight printers with seed %i, plates, jobs, stock, filament and printers agree',
  async (seed) => {
    const startedAt = performance.now()
    const random = randomFrom(seed)
    const floor = await aSimulatedFloor()
    const below = (limit: number) => Math.floor(random() * limit)
    const world: World = {
      floor,
      random,
      below,
      agentJob: null,
      isAgentBedFull: false,
      agentCompletions: 0,
      orders: 0,
      clears: new Map(),
    }
    const everyKill = Math.ceil(EVENTS / (KILLS + 1))
    let kills = 0
    let killedMs = 0
    for (let event = 1; event <= EVENTS; event += 1) {
      if (event % everyKill === 0) {
        const killedAt = performance.now()
        const work = doSomething(world, { isKilled: true })
        await KINDS_OF_KILL[kills % KINDS_OF_KILL.length]?.(world)
        kills += 1
        await work
        if (floor.isDown()) await floor.revive()
        await floor.round()
        killedMs += performance.now() - killedAt
      } else await doSomething(world)
      if (event % EVENTS_PER_ROUND === 0) await floor.round()
      if (event % EVENTS_PER_CHECK === 0) await findPhantoms(world)
      if (event % EVENTS_PER_CHECK === 0)
        expect(await findContradictions(floor, { isAtRest: false }), `seed ${seed}, event ${event}`).toEqual(
          [],
        )
    }
    const isOver = await endTheDay(world)
    await findPhantoms(world)
    expect(await findContradictions(floor, { isAtRest: true }), `seed ${seed}`).toEqual([])
    expect(isOver).toBe(true)
    const prints = floor.machines.flatMap(({ printer }) => printer.machine.prints)
    expect(prints.filter(({ by }) => by === 'network').length).toBeGreaterThan(EVENTS / 50)
    const seconds = (ms: number) => Math.round(ms / 1000)
    console.info(
      `simulation of a floor with seed ${seed}: ${EVENTS} events, ${kills} kills, ${prints.length} prints, 0 contradictions, ${seconds(performance.now() - startedAt)} s, ${seconds(killedMs)} s of it for kills`,
    )
  },
)
