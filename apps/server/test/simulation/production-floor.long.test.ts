import { expect, it } from 'vitest'
import { endTheDay } from './end-of-day.ts'
import { actAsAgent, findPhantoms } from './floor-agent.ts'
import { findContradictions } from './floor-invariants.ts'
import {
  actAtMachine,
  changeQueue,
  clearBed,
  clearLate,
  completeOnBed,
  printByHand,
  undo,
} from './floor-people.ts'
import { type World, pick } from './floor-world.ts'
import { randomFrom } from './random.ts'
import { type Machine, aSimulatedFloor } from './simulated-floor.ts'

/**
 * Number of random events for each seed. 10,000 events take about a quarter of an hour. `PEGASUS_EVENTS` overrides it.
 */
const EVENTS = Number(process.env['PEGASUS_EVENTS'] ?? 10_000)
/** The seeds of the random numbers. With the same seed, a failure can be reproduced. */
const SEEDS = (process.env['PEGASUS_SEEDS'] ?? '18,2026').split(',').map(Number)
/** Number of kills. It is at least 8, so that each kind of kill happens. */
const KILLS = Math.max(8, Math.round(EVENTS / 100))
/** Number of events after which the server polls every printer once. */
const EVENTS_PER_ROUND = 12
/** Number of events after which the invariants are checked. */
const EVENTS_PER_CHECK = 40
const FAULTS = ['lost', 'lost-answer', 'garbage', 'key', 'refused'] as const
/** The requests that upload and start a print. Half of the faults strike only these requests. */
const UPLOAD_AND_START: Readonly<Record<Machine['protocol'], readonly string[]>> = {
  moonraker: ['POST /server/files/upload', 'POST /printer/print/start'],
  octoprint: ['POST /api/files/local', 'POST /api/files/local/'],
  prusalink: ['PUT /api/v1/files/', 'POST /api/v1/files/'],
  bambu: ['FTP STOR', 'MQTT print.project_file'],
}

/**
 * Performs one random event. If the server is killed during the event, nobody starts a print by hand: that print could
 * end before the server sees it, and nobody would know that the bed is full.
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

/** The kinds of kill, which take turns. Each one strikes in the middle of another event. */
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
      if (event % EVENTS_PER_ROUND === 0) {
        await floor.passUploadPause()
        await floor.round()
      }
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
