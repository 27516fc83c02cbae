import type { Rates } from './cost-settings.queries.ts'
import { WHOLE, divideRounded, hundredths } from './fixed-point.ts'

/** The filament and time of a print job, from which its cost is calculated. */
export interface PrintFigures {
  /** Used filament, with the price of its spool. A null price means the price in the settings. */
  filament: readonly { grams: number; minorPerKg: number | null }[]
  /** Print time, with the power and hourly cost of the printer. Null means the values in the settings. */
  time: readonly { minutes: number; watts: number | null; minorPerHour: number | null }[]
  /** Number of plates that somebody has prepared, including failed plates. */
  plates: number
  goodPieces: number
  /**
   * The expected share of failed prints, for an estimate. Left out for real prints, whose figures include failed
   * prints.
   */
  failurePercent?: number
}

export interface PrintCostPart {
  kind:
    | 'material'
    | 'electricity'
    | 'machine'
    | 'preparation'
    | 'failures'
    | 'finishing'
    | 'extras'
    | 'overhead'
  amount_minor: number
}

/** The cost of a whole job in minor units. Each part is rounded, so the parts add up to the total exactly. */
export interface PrintCost {
  parts: PrintCostPart[]
  total_minor: number
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/**
 * Calculates the cost of a job: the actual cost of the filament and time that its plates have used, or an estimate with
 * the expected share of failures. The figures of actual prints include failed plates and rejected pieces.
 */
export function costOfPrint(
  { filament, time, plates, goodPieces, failurePercent }: PrintFigures,
  rates: Rates,
): PrintCost {
  const material = sum(
    filament.map(({ grams, minorPerKg }) =>
      divideRounded(hundredths(grams) * BigInt(minorPerKg ?? rates.material_minor_per_kg), 100n * 1000n),
    ),
  )
  const electricity = sum(
    time.map(({ minutes, watts }) =>
      divideRounded(
        BigInt(minutes) * BigInt(watts ?? rates.printer_watts) * BigInt(rates.electricity_minor_per_mwh),
        60n * 1_000_000n,
      ),
    ),
  )
  const machine = sum(
    time.map(({ minutes, minorPerHour }) =>
      divideRounded(BigInt(minutes) * BigInt(minorPerHour ?? rates.machine_minor_per_hour), 60n),
    ),
  )
  const work = (minutes: number, times: number) =>
    divideRounded(hundredths(minutes) * BigInt(times) * BigInt(rates.labor_minor_per_hour), 6000n)
  const printed = {
    material,
    electricity,
    machine,
    preparation: work(rates.prepare_minutes_per_print, plates),
  }
  const failed = hundredths(failurePercent ?? 0)
  const made = {
    ...printed,
    ...(failurePercent !== undefined && {
      failures: divideRounded(sum(Object.values(printed)) * failed, WHOLE - failed),
    }),
    finishing: work(rates.finish_minutes_per_piece, goodPieces),
    extras: BigInt(rates.extras_minor_per_piece) * BigInt(goodPieces),
  }
  const overhead = divideRounded(sum(Object.values(made)) * hundredths(rates.overhead_percent), WHOLE)
  const parts = Object.entries({ ...made, overhead }).map(([kind, amount]) => ({
    kind: kind as PrintCostPart['kind'],
    amount_minor: Number(amount),
  }))
  return { parts, total_minor: parts.reduce((total, part) => total + part.amount_minor, 0) }
}
