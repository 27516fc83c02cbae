import { isFinishedOrder } from '@pegasus/contracts/statuses'
import { createSpool, takeFilament } from '../src/modules/filament/index.ts'
import {
  NEW_ITEM_FIELDS,
  createItem,
  countStock,
  moveStock,
  storedColor,
} from '../src/modules/inventory/index.ts'
import { createOrder } from '../src/modules/orders/index.ts'
import {
  advancePrintJob,
  createPrintJob,
  ensurePrinter,
  loadSpool,
} from '../src/modules/print-queue/index.ts'
import { type AuditContext, SYSTEM_ACTOR } from '../src/platform/actor.ts'
import type { Queryable } from '../src/platform/database/database.ts'
import type { AddedModel } from './add-models.ts'
import type { DemoActors } from './add-people.ts'
import { createLanes } from './lanes.ts'
import { shipWholeOrder } from './ship-whole-order.ts'
import { DEMO_FILAMENTS } from './stock/filaments.ts'
import { gramsOf, minutesOf, DEMO_PRINTERS } from './stock/prints.ts'
import type { DemoJob, DemoOrder, DemoSpool, StockedItem, Step } from './stock/steps.ts'

const PRICE_PER_KG_MINOR = 2600
/** A filament that the shop buys again is low below this share of a spool. */
const LOW_SHARE = 0.4
/** Labor of a piece: some minutes of handling, and the finishing, which takes longer for expensive pieces. */
const LABOR_MINOR = 60
const LABOR_SHARE = 0.12
/** The fee that the payment service charges for an order. */
const FEE_SHARE = 0.029
const FEE_MINOR = 30

/** The ids of the objects that the steps have created so far. */
interface Ids {
  items: Map<string, string>
  orders: Map<string, string>
  spools: Map<string, string>
  jobs: Map<string, string>
  printers: Map<string, string>
}

export interface StoryWriter {
  actors: DemoActors
  models: ReadonlyMap<string, AddedModel>
  currency: string
  signal?: AbortSignal | undefined
  /** Called after each step, with the number of steps so far. */
  onStep?: (count: number) => void
}

/** Replays the steps with the functions of the modules. Returns the ids of the items by SKU. */
export async function writeStory(
  tx: Queryable,
  steps: readonly Step[],
  writer: StoryWriter,
): Promise<ReadonlyMap<string, string>> {
  const ids: Ids = {
    items: new Map(),
    orders: new Map(),
    spools: new Map(),
    jobs: new Map(),
    printers: new Map(),
  }
  for (const printer of DEMO_PRINTERS)
    ids.printers.set(printer.name, await addPrinter(tx, printer, steps[0]?.at))
  const lanes = createLanes()
  /** The printer of each job. The steps of one printer run one after another. */
  const printerOf = new Map<string, string>()
  /** The spool of each print that has not ended, by job. */
  const spoolOf = new Map<string, string>()
  for (const [index, step] of steps.entries()) {
    writer.onStep?.(index)
    if (step.do === 'start print') {
      printerOf.set(step.job.key, step.printer)
      spoolOf.set(step.job.key, step.spoolKey)
    } else if ('job' in step) spoolOf.delete(step.job.key)
    writer.signal?.throwIfAborted()
    const actor = step.by === 'system' ? SYSTEM_ACTOR : (writer.actors.get(step.by) ?? SYSTEM_ACTOR)
    const printer = 'job' in step ? printerOf.get(step.job.key) : undefined
    const subjects = [...subjectsOf(step), ...(printer === undefined ? [] : [printer])]
    await lanes.run(subjects, () => play(tx, step, { actor, now: step.at }, ids, writer))
  }
  await lanes.finish()
  for (const [job, spool] of spoolOf) {
    const printerId = idOf(ids.printers, printerOf.get(job) ?? '')
    await loadSpool(
      tx,
      { printerId, slot: 1, spoolId: idOf(ids.spools, spool) },
      steps.at(-1)?.at ?? new Date(),
    )
  }
  return ids.items
}

/** Adds a printer that people start by hand, with the data that its prints and their costs need. */
async function addPrinter(
  tx: Queryable,
  { name, model, bedMm, watts, minorPerHour }: (typeof DEMO_PRINTERS)[number],
  boughtAt = new Date(),
): Promise<string> {
  const id = await ensurePrinter(tx, { name, model }, boughtAt)
  await tx`
    update printers set bed_mm = ${tx.json([...bedMm])}::jsonb, nozzle_mm = 0.4, average_watts = ${watts},
      machine_minor_per_hour = ${minorPerHour}
    where id = ${id}`
  return id
}

/**
 * Returns the subjects of a step. The step must follow all earlier steps that have one of the same subjects.
 */
function subjectsOf(step: Step): string[] {
  switch (step.do) {
    case 'keep item':
      return [step.item.sku]
    case 'shelve spool':
      return [step.spool.key, 'numbers of spools']
    case 'take order':
    case 'ship order':
      return [step.order.number, ...step.order.lines.map(({ item }) => item.sku)]
    case 'move':
      return [step.sku, ...(step.orderNumber === null ? [] : [step.orderNumber])]
    case 'count':
      return [step.sku]
    case 'use filament':
    case 'throw out':
      return [step.spoolKey]
    case 'queue print':
      return [step.job.key, step.job.item.sku, 'places in the queue', step.job.orderNumber ?? '']
    case 'start print':
    case 'finish print':
    case 'fail print':
    case 'hold print':
    case 'cancel print':
      return [step.job.key, step.job.item.sku, ...('spoolKey' in step ? [step.spoolKey] : [])]
  }
}

const idOf = (ids: Map<string, string>, key: string): string => {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`the story speaks of ${key} too early`)
  return id
}

async function play(
  tx: Queryable,
  step: Step,
  by: AuditContext,
  ids: Ids,
  writer: StoryWriter,
): Promise<void> {
  switch (step.do) {
    case 'keep item':
      ids.items.set(step.item.sku, await createItem(tx, newItem(step.item, writer.models), by))
      return
    case 'shelve spool':
      ids.spools.set(step.spool.key, (await createSpool(tx, newSpool(step.spool), by)).id)
      return
    case 'take order':
      ids.orders.set(step.order.number, await createOrder(tx, newOrder(step.order, writer.currency), by))
      return
    case 'ship order':
      await shipWholeOrder(tx, idOf(ids.orders, step.order.number), parcelOf(step.order), by)
      return
    case 'move': {
      const { kind, delta, reservedDelta, reason, orderNumber } = step
      const orderId = orderNumber === null ? null : idOf(ids.orders, orderNumber)
      await moveStock(
        tx,
        { itemId: idOf(ids.items, step.sku), kind, delta, reservedDelta, reason, orderId },
        by,
      )
      return
    }
    case 'count':
      await countStock(
        tx,
        { itemId: idOf(ids.items, step.sku), quantity: step.quantity, reason: 'Weekly count' },
        by,
      )
      return
    case 'use filament':
    case 'throw out': {
      const { grams, reason } = step
      const kind = step.do === 'throw out' ? 'waste' : 'use'
      await takeFilament(tx, { spoolId: idOf(ids.spools, step.spoolKey), grams, kind, reason }, by)
      return
    }
    case 'queue print':
    case 'start print':
    case 'finish print':
    case 'fail print':
    case 'hold print':
    case 'cancel print':
      return playPrint(tx, step, by, ids)
  }
}

type PrintStep = Extract<Step, { job: DemoJob }>

async function playPrint(tx: Queryable, step: PrintStep, by: AuditContext, ids: Ids): Promise<void> {
  if (step.do === 'queue print') {
    ids.jobs.set(step.job.key, await createPrintJob(tx, newJob(step.job, ids), by))
    return
  }
  const jobId = idOf(ids.jobs, step.job.key)
  switch (step.do) {
    case 'start print': {
      const places = { printerId: idOf(ids.printers, step.printer), spoolId: idOf(ids.spools, step.spoolKey) }
      const { progress } = step.job
      return advancePrintJob(tx, jobId, { to: 'in_progress', progress, agent: step.printer, ...places }, by)
    }
    case 'finish print': {
      const { good, rejected, isWeighed } = step
      const used = isWeighed ? usedBy(step, ids) : {}
      return advancePrintJob(tx, jobId, { to: 'completed', good, rejected, ...used }, by)
    }
    case 'fail print': {
      const { reason } = step
      const failed = { to: 'failed', reason, rejected: step.job.quantity, ...usedBy(step, ids) } as const
      return advancePrintJob(tx, jobId, failed, by)
    }
    case 'hold print':
      return advancePrintJob(tx, jobId, { to: 'on_hold', reason: step.reason }, by)
    case 'cancel print':
      return advancePrintJob(tx, jobId, { to: 'cancelled', reason: step.reason }, by)
  }
}

/** The filament and the time of a print, as a person enters them. The step books them on the spool. */
const usedBy = (step: Extract<PrintStep, { minutes: number }>, ids: Ids) => ({
  usedGrams: step.grams,
  printMinutes: step.minutes,
  spoolId: idOf(ids.spools, step.spoolKey),
})

const filamentOf = (key: string) => DEMO_FILAMENTS.find((filament) => filament.key === key)

function newItem(item: StockedItem, models: ReadonlyMap<string, AddedModel>) {
  const filament = filamentOf(item.filament)
  const fields = {
    ...NEW_ITEM_FIELDS,
    name: item.name,
    sku: item.sku,
    stl_file_id: models.get(item.model)?.id ?? null,
    reorder_point: item.reorderPoint,
    max_stock: item.maxStock,
    held_status: item.heldStatus,
    material_used: filament?.material ?? null,
    color: filament?.color ?? null,
    color_hex: storedColor(filament?.hex),
    print_settings: '0.2 mm layers, 3 walls, 15 % gyroid',
    print_time_minutes: item.printMinutes,
    weight_grams: item.weightGrams,
    material_cost_minor: Math.round((item.weightGrams / 1000) * PRICE_PER_KG_MINOR),
    labor_cost_minor: LABOR_MINOR + Math.round(item.priceMinor * LABOR_SHARE),
    selling_price_minor: item.priceMinor || null,
  }
  const place = { location: item.location, bin: item.bin }
  return { fields, quantity: item.opening, openingKind: 'count' as const, place }
}

function newSpool({ filament, archivedAt, arrivedAt, key }: DemoSpool) {
  return {
    material: filament.material,
    brand: filament.brand,
    name: filament.name,
    color: filament.color,
    colorHex: filament.hex,
    weightGrams: filament.spoolGrams,
    spoolWeightGrams: filament.spoolWeightGrams,
    costMinor: filament.costMinor,
    lowStockGrams: filament.isRestocked ? Math.round(filament.spoolGrams * LOW_SHARE) : null,
    // A spool that is used up is no longer on its shelf.
    location: archivedAt === null ? filament.place : null,
    lotNumber: `${arrivedAt.toISOString().slice(2, 10).replaceAll('-', '')}-${key.split('-')[1]}`,
    nozzleTempC: filament.nozzleTempC,
    bedTempC: filament.bedTempC,
    archivedAt,
    ...(filament.place.startsWith('Dry box') && { driedAt: arrivedAt }),
  }
}

function newOrder(order: DemoOrder, currency: string) {
  // The example shop refuses parcels of orders that were not placed in it. Only finished orders therefore come from a
  // shop, because nobody ships them any more.
  const isOfShop = isFinishedOrder(order.status) && !order.customer.isBusiness
  return {
    orderNumber: order.number,
    customerName: order.customer.name,
    customerEmail: order.customer.email,
    shippingAddress: order.customer.address,
    status: order.status,
    totalMinor: order.totalMinor,
    shippingMinor: order.shippingMinor,
    ...(isOfShop && { feeMinor: FEE_MINOR + Math.round(order.totalMinor * FEE_SHARE) }),
    currency,
    placedAt: order.placedAt,
    dueAt: order.dueAt,
    source: isOfShop ? 'main_site' : 'manual',
    externalId: isOfShop ? `web-${order.number.slice(-4)}` : null,
    notes: order.notes,
    lines: order.lines.map(({ item, quantity, unitPriceMinor }) => ({
      sku: item.sku,
      name: item.name,
      quantity,
      unitPriceMinor,
    })),
  }
}

const parcelOf = ({ carrier, trackingNumber, postageMinor }: DemoOrder) => ({
  carrier,
  tracking_number: trackingNumber,
  postage_minor: postageMinor,
})

function newJob(job: DemoJob, ids: Ids) {
  const filament = filamentOf(job.item.filament)
  return {
    itemId: idOf(ids.items, job.item.sku),
    quantity: job.quantity,
    priority: job.priority,
    material: filament?.material ?? null,
    color: filament?.color ?? null,
    estimatedGrams: gramsOf(job),
    estimatedMinutes: minutesOf(job),
    orderId: job.orderNumber === null ? null : idOf(ids.orders, job.orderNumber),
    dueAt: job.dueAt,
    notes: job.notes,
  }
}
