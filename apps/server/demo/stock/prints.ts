import { MINUTE_MS } from '../../src/platform/clock.ts'
import type { Random } from '../random.ts'
import type { Shelf } from './shelf.ts'
import type { DemoJob, DemoSpool, StockedItem, Step } from './steps.ts'

export const DEMO_PRINTERS = [
  { name: 'Prusa MK4 · 01', model: 'Prusa MK4', bedMm: [250, 210, 220], watts: 110, minorPerHour: 70 },
  { name: 'Prusa MK4 · 02', model: 'Prusa MK4', bedMm: [250, 210, 220], watts: 110, minorPerHour: 70 },
  { name: 'Voron 2.4 · 01', model: 'Voron 2.4', bedMm: [300, 300, 280], watts: 190, minorPerHour: 90 },
  { name: 'Bambu A1 mini · 01', model: 'Bambu A1 mini', bedMm: [180, 180, 180], watts: 80, minorPerHour: 45 },
  { name: 'Bambu X1C · 01', model: 'Bambu X1C', bedMm: [256, 256, 256], watts: 130, minorPerHour: 95 },
] as const

const FAILURES = [
  'Layer shift at 43 %',
  'Spaghetti: part came off the bed',
  'Clogged nozzle',
  'First layer did not stick',
  'Filament ran out, the joint is visible',
  'Warped corners',
  'Power failure',
] as const
const FAILED_SHARE = 0.06
/** Nobody enters the filament and the time of each good print with this number. It is booked as planned. */
const UNWEIGHED_EVERY = 14
/** Factor for filament that is used for purging and skirts in addition to the parts. */
const WASTE = 1.06
/** Longest print time of a plate in minutes. Longer plates are not started. */
const LONGEST_PLATE_MINUTES = 7 * 60

interface Running {
  job: DemoJob
  spool: DemoSpool
  startedAt: Date
  endsAt: Date
  willFail: boolean
}

/** The print queue and the printers during the simulation. */
export interface PrintRoom {
  /** Returns the number of pieces of an item that are queued or printing. */
  piecesComing(sku: string): number
  queue(item: StockedItem, pieces: number, more: Partial<DemoJob>, at: Date): Step[]
  /** Finishes the prints that are done by now, and starts the next ones. */
  work(now: Date): { steps: Step[]; made: { item: StockedItem; pieces: number }[] }
  /** Returns the spools of the running prints. */
  loadedSpools(): DemoSpool[]
  /** Records the progress of the running prints. */
  look(now: Date): void
}

export const gramsOf = (job: DemoJob): number =>
  Math.round(job.item.weightGrams * job.quantity * WASTE * 10) / 10
export const minutesOf = (job: DemoJob): number => 8 + job.item.printMinutes * job.quantity

export function openPrintRoom(shelf: Shelf, random: Random): PrintRoom {
  const waiting: DemoJob[] = []
  const queuedAt = new Map<DemoJob, Date>()
  const running = new Map<string, Running>()
  let serial = 0
  let finished = 0

  const loadedSpools = () => [...running.values()].map(({ spool }) => spool)
  const unfinished = () => [...waiting, ...[...running.values()].map(({ job }) => job)]

  const end = (print: Running): { steps: Step[]; pieces: number } => {
    const { job, spool, startedAt, endsAt: at } = print
    const minutes = Math.max(1, Math.round((at.getTime() - startedAt.getTime()) / MINUTE_MS))
    if (print.willFail) {
      const grams = shelf.take(spool, Math.round(gramsOf(job) * random.between(0.15, 0.7) * 10) / 10, at)
      const reason = random.pick(FAILURES)
      const again = { ...job, key: `${job.key}'`, notes: `Again after: ${reason}`, priority: 2 }
      waiting.unshift(again)
      queuedAt.set(again, at)
      const shared = { at, by: 'employee' } as const
      return {
        steps: [
          { ...shared, do: 'fail print', job, reason, spoolKey: spool.key, grams, minutes },
          { ...shared, do: 'queue print', job: again },
        ],
        pieces: 0,
      }
    }
    const rejected = job.quantity > 2 && random.isLucky(0.09) ? 1 : 0
    finished += 1
    const isWeighed = finished % UNWEIGHED_EVERY !== 0
    const share = isWeighed ? random.between(0.96, 1.05) : 1
    const grams = shelf.take(spool, Math.round(gramsOf(job) * share * 10) / 10, at)
    const good = job.quantity - rejected
    const step = {
      at,
      by: 'employee',
      do: 'finish print',
      job,
      good,
      rejected,
      isWeighed,
      spoolKey: spool.key,
      grams,
      minutes,
    } as const
    return { steps: [step], pieces: good }
  }

  const begin = (printer: string, at: Date): Step[] => {
    const loaded = loadedSpools()
    const spoolFor = (job: DemoJob) => shelf.findSpool(job.item.filament, gramsOf(job), loaded)
    const index = waiting.findIndex((job) => queuedAt.get(job)! < at && spoolFor(job) !== null)
    const [job] = index < 0 ? [] : waiting.splice(index, 1)
    const spool = job && spoolFor(job)
    if (!job || !spool) return []
    const willFail = random.isLucky(FAILED_SHARE)
    const minutes = minutesOf(job) * (willFail ? random.between(0.2, 0.7) : random.between(0.96, 1.06))
    running.set(printer, {
      job,
      spool,
      startedAt: at,
      endsAt: new Date(at.getTime() + minutes * MINUTE_MS),
      willFail,
    })
    return [{ at, by: 'employee', do: 'start print', job, printer, spoolKey: spool.key }]
  }

  const later = (at: Date, least: number, most: number) =>
    new Date(at.getTime() + random.between(least, most) * MINUTE_MS)

  return {
    piecesComing: (sku) =>
      unfinished().reduce((sum, job) => sum + (job.item.sku === sku ? job.quantity : 0), 0),

    queue(item, pieces, more, at) {
      const perPlate = Math.max(1, Math.min(pieces, Math.floor(LONGEST_PLATE_MINUTES / item.printMinutes)))
      const steps: Step[] = []
      for (let left = pieces; left > 0; left -= perPlate) {
        serial += 1
        const job: DemoJob = {
          key: `J${serial}`,
          item,
          quantity: Math.min(left, perPlate),
          priority: 3,
          orderNumber: null,
          dueAt: null,
          notes: null,
          progress: 0,
          ...more,
        }
        waiting.push(job)
        queuedAt.set(job, at)
        waiting.sort((a, b) => a.priority - b.priority)
        steps.push({ at, by: 'staff', do: 'queue print', job })
      }
      return steps
    },

    work(now) {
      const steps: Step[] = []
      const made: { item: StockedItem; pieces: number }[] = []
      for (const { name } of DEMO_PRINTERS) {
        const print = running.get(name)
        if (print && print.endsAt > now) continue
        if (print) {
          const { steps: ended, pieces } = end(print)
          running.delete(name)
          steps.push(...ended)
          if (pieces > 0) made.push({ item: print.job.item, pieces })
        }
        const from = print ? later(print.endsAt, 4, 25) : later(now, -40, -2)
        if (from <= now) steps.push(...begin(name, from))
      }
      return { steps, made }
    },

    loadedSpools,

    look(now) {
      // A print that will fail ends earlier than planned, but its progress follows the plan.
      for (const { job, startedAt } of running.values()) {
        const share = (now.getTime() - startedAt.getTime()) / (minutesOf(job) * MINUTE_MS)
        job.progress = Math.round(Math.min(0.98, Math.max(0.02, share)) * 1000) / 1000
      }
    },
  }
}
