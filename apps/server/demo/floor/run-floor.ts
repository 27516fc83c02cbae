import { setTimeout as wait } from 'node:timers/promises'
import type { Spool } from '@pegasus/contracts/filament/spools'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { type Ask, signInToDemo } from '../sign-in.ts'
import { demoGcode } from './demo-gcode.ts'
import { DEMO_NETWORK_PRINTERS, DEMO_PRINTER_KEY, type DemoNetworkPrinter } from './network-printers.ts'

const LOOK_MS = 10_000
/** Time that people have to clear a bed before the demo clears it. */
const BED_IS_LEFT_MS = 60_000
/** Number of different parts that the printers make. */
const PARTS = 6
const LEAST_GRAMS_ON_SPOOL = 250
const LONGEST_MINUTES = 240
/** The spool that is bought if the demo has no part whose color the shop could print. */
const NEW_SPOOL = {
  material: 'PLA',
  color: 'Galaxy Black',
  color_hex: '#1d1d1f',
  brand: 'Prusament',
  weight_grams: 1000,
  location: 'Shelf F1',
}

/** A part that the printers of the demo make. */
interface Part {
  item: InventoryItem
  modelId: string
  grams: number
  minutes: number
}

export interface DemoFloor {
  /** The address at which the server is reached. */
  opsUrl: string
  /** The address of each simulated printer, by its key. */
  addresses: ReadonlyMap<string, string>
  signal: AbortSignal
}

/** Adds the printers that the shop lacks, and updates the addresses of all printers. */
async function addPrinters(ask: Ask, { addresses }: DemoFloor): Promise<void> {
  const known = await ask<Printer[]>('GET', '/api/printers?limit=200')
  for (const printer of DEMO_NETWORK_PRINTERS) {
    const address = addresses.get(printer.key)
    if (address === undefined) continue
    const found = known.find(({ name }) => name === printer.name)
    const reach = { address, api_key: DEMO_PRINTER_KEY }
    if (!found) await ask('POST', '/api/printers', { ...describe(printer), ...reach })
    else if (found.address !== address) await ask('PUT', `/api/printers/${found.id}`, reach, found.revision)
  }
}

const describe = ({ name, protocol, model, bedMm, averageWatts, hourlyRate }: DemoNetworkPrinter) => ({
  name,
  kind: protocol,
  model,
  bed_mm: bedMm,
  nozzle_mm: 0.4,
  average_watts: averageWatts,
  hourly_rate: hourlyRate,
})

/** Returns the printers of the floor, in the demo's order. */
async function listFloor(ask: Ask): Promise<{ printer: Printer; demo: DemoNetworkPrinter }[]> {
  const printers = await ask<Printer[]>('GET', '/api/printers?limit=200')
  return DEMO_NETWORK_PRINTERS.flatMap((demo) => {
    const printer = printers.find(({ name }) => name === demo.name)
    return printer ? [{ printer, demo }] : []
  })
}

const isOfColor = ({ item }: Pick<Part, 'item'>, color: string | null): boolean => item.color === color

/**
 * Puts a spool of PLA into each empty printer that is free, as people of a real shop do before a print: first the colors
 * of the parts, each in a printer of its own. If no full spool is left, a new one is added in the color of a part,
 * because a print without a spool would book no filament.
 */
export async function loadSpools(ask: Ask, parts: readonly Pick<Part, 'item'>[] = []): Promise<void> {
  const empty = (await listFloor(ask)).filter(
    ({ printer }) =>
      printer.state === 'available' && printer.slots.every(({ filament_id: id }) => id === null),
  )
  if (empty.length === 0) return
  const spools = await ask<Spool[]>('GET', '/api/filament?limit=200')
  const printers = await ask<Printer[]>('GET', '/api/printers?limit=200')
  const loaded = new Set(printers.flatMap(({ slots }) => slots.map(({ filament_id: id }) => id)))
  const free = spools.filter(
    (spool) =>
      spool.material === 'PLA' &&
      spool.remaining_grams >= LEAST_GRAMS_ON_SPOOL &&
      spool.status !== 'archived' &&
      !loaded.has(spool.id),
  )
  const isWanted = ({ color }: { color: string | null }) => parts.some((part) => isOfColor(part, color))
  const inOrder = free.toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a)))
  for (const [index, { printer }] of empty.entries()) {
    const wanted = parts[index % Math.max(1, parts.length)]?.item
    const bought = wanted ? { ...NEW_SPOOL, color: wanted.color, color_hex: wanted.color_hex } : NEW_SPOOL
    const isUsable = inOrder[0] && (parts.length === 0 || isWanted(inOrder[0]))
    const spool = (isUsable && inOrder.shift()) || (await ask<Spool>('POST', '/api/filament', bought))
    await ask('POST', `/api/printers/${printer.id}/load`, { slot: 1, filament_id: spool.id })
  }
}

/**
 * Returns parts that have a PLA filament and a model, and adds a sliced file for each printer model. Existing
 * sliced files stay.
 */
async function sliceParts(ask: Ask): Promise<Part[]> {
  const items = await ask<InventoryItem[]>('GET', '/api/inventory?limit=200')
  const parts = items
    .flatMap((item): Part[] =>
      item.stl_file_id !== null &&
      item.material_used === 'PLA' &&
      item.weight_grams &&
      item.print_time_minutes &&
      item.print_time_minutes <= LONGEST_MINUTES
        ? [{ item, modelId: item.stl_file_id, grams: item.weight_grams, minutes: item.print_time_minutes }]
        : [],
    )
    .slice(0, PARTS)
  for (const part of parts)
    for (const demo of DEMO_NETWORK_PRINTERS.filter(isFirstOfModel)) await slice(ask, part, demo)
  return parts
}

const isFirstOfModel = ({ model }: DemoNetworkPrinter, index: number): boolean =>
  DEMO_NETWORK_PRINTERS.findIndex((other) => other.model === model) === index

async function slice(ask: Ask, { item, modelId, grams, minutes }: Part, demo: DemoNetworkPrinter) {
  const known = await ask<{ printer_model: string | null }[]>('GET', `/api/stl-files/${modelId}/slices`)
  if (known.some(({ printer_model: model }) => model === demo.model)) return
  const form = new FormData()
  const text = demoGcode({ printerModel: demo.model, material: 'PLA', bedMm: demo.bedMm, grams, minutes })
  form.append('file', new Blob([text]), `${item.sku.toLowerCase()}-${demo.key.split('-')[0]}.gcode`)
  await ask('POST', `/api/stl-files/${modelId}/slices`, form)
}

/**
 * Keeps the six simulated printers busy through the API: adds the printers, loads spools, slices some parts,
 * gives each free printer a job, and clears beds that nobody has cleared for a minute. Ends when the signal
 * aborts.
 */
export async function runFloor(floor: DemoFloor, say: (line: string) => void): Promise<void> {
  const { opsUrl, signal } = floor
  const ask = await signInToDemo({ opsUrl, signal })
  await addPrinters(ask, floor)
  const parts = await sliceParts(ask)
  if (parts.length === 0) return say('no part of the demo can be printed, so its printers rest')
  say(`${DEMO_NETWORK_PRINTERS.length} simulated printers are at work`)
  const occupiedSince = new Map<string, number>()
  for (let turn = 0; !signal.aborted; turn += 1) {
    await work(ask, { parts, occupiedSince, turn }).catch((error: unknown) => {
      if (!signal.aborted) say(`a printer of the demo rests: ${error instanceof Error ? error.message : ''}`)
    })
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function work(
  ask: Ask,
  {
    parts,
    occupiedSince,
    turn,
  }: { parts: readonly Part[]; occupiedSince: Map<string, number>; turn: number },
): Promise<void> {
  await loadSpools(ask, parts)
  for (const [index, { printer }] of (await listFloor(ask)).entries()) {
    if (printer.state === 'needs_clearing') {
      const since = occupiedSince.get(printer.id) ?? Date.now()
      occupiedSince.set(printer.id, since)
      if (Date.now() - since >= BED_IS_LEFT_MS) await ask('POST', `/api/printers/${printer.id}/clear`, {})
      continue
    }
    occupiedSince.delete(printer.id)
    const color = printer.slots[0]?.color ?? null
    const fitting = parts.filter((each) => isOfColor(each, color))
    // A spool that somebody else has loaded can have a color of no part.
    const choice = fitting.length > 0 ? fitting : parts
    const part = choice[(index + turn) % choice.length]
    if (printer.state !== 'available' || printer.next_job || !part) continue
    const job = await ask<{ id: string }>('POST', '/api/print-queue', {
      inventory_item_id: part.item.id,
      quantity: 1,
    })
    await ask('POST', `/api/print-queue/${job.id}/assign`, { printer_id: printer.id, override: true })
  }
}
