import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { type World, listJobs, pick, reportCleared } from './floor-world.ts'
import type { Machine } from './simulated-floor.ts'

const SKUS = ['DRAGON', 'GEAR', 'VASE']

/**
 * Simulates a person who changes the queue: adds a job, or changes the state, quantity or printer of an
 * existing one.
 */
export async function changeQueue(world: World): Promise<void> {
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
export async function undo(world: World): Promise<void> {
  const job = pick(world, (await listJobs(world, 'completed')).slice(0, 5))
  // The completed plate becomes a running plate again, but its print is no longer on a bed, so nobody would clear it.
  // Therefore, complete the job immediately.
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
export async function actAtMachine({ floor, below }: World, machine: Machine): Promise<void> {
  const { machine: simulated, faults } = machine.printer
  if (simulated.running) {
    const acts = ['cancel', 'fail', 'reboot', 'pause', 'resume'] as const
    const act = acts[below(acts.length)] ?? 'pause'
    if (act === 'fail') simulated.fail('Heater fault')
    else simulated[act]()
  } else if (machine.isBedFull) simulated.acknowledge()
  else {
    // The server must see a print that a person starts, so remove all faults and let the server visit the printer.
    faults.length = 0
    machine.isBedFull = true
    simulated.upload('by-hand.gcode', Buffer.from(''))
    simulated.start('by-hand.gcode', 'machine')
    // Use two rounds. The first one skips a printer that is being visited already, and that visit may have read the
    // state before the print was started.
    await floor.round()
    await floor.round()
  }
}

const OUT_OF_USE: readonly unknown[] = ['error', 'offline', 'maintenance']

/** Somebody sends a report that a bed was cleared once more, possibly after the next print has begun. */
export async function clearLate(world: World): Promise<void> {
  const { floor, agentJob } = world
  const late = pick(world, [...world.clears.values()])
  if (late) await floor.send('POST', late.path, late.body, late.key)
  if (agentJob) await floor.send('POST', `/api/printers/${floor.agentId}/clear`, {})
}

/** A person completes a printed plate in the print queue. Sometimes the person has taken it off the bed already. */
export async function completeOnBed(world: World, machine: Machine): Promise<void> {
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
export async function clearBed(world: World, machine: Machine): Promise<void> {
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

/** A person starts or ends a print on the printer without a network. */
export async function printByHand(world: World): Promise<void> {
  const { floor, below } = world
  const answer = await floor.send('GET', `/api/printers/${floor.manualId}`)
  const printer = answer?.status === 200 ? (answer.body as Printer) : null
  if (printer?.current_job) {
    const { id, plate_id } = printer.current_job
    await floor.send('POST', `/api/print-queue/${id}/complete`, {
      plate_id,
      used_grams: 12,
      // If the request names no spool, the server books the filament on the spool in the printer's slot.
      ...(below(2) === 0 && { filament_id: printer.slots[0]?.filament_id }),
    })
  } else {
    const job = pick(world, await listJobs(world, 'pending'))
    if (job) await floor.send('POST', `/api/print-queue/${job.id}/start`, { printer: 'By hand' })
  }
}
