import { constants, open } from 'node:fs/promises'
import { MATERIAL_DENSITIES } from '@pegasus/contracts/filament/filament-weight'
import type { PrintEstimate } from '@pegasus/contracts/stl-library/models'
import type { BoundingBox } from '../../models/models.queries.ts'
import { roundGrams, weighMaterials } from '../estimate/materials.ts'
import { SlicerError } from './slicer-error.ts'

/** Figures that a slicer reports about a print in the comments of its G-code. */
export interface SlicerFigures {
  plasticCm3: number
  minutes: number
  /** Weight in the material of the slicer's settings. Null if the settings name no material or no density. */
  own: { material: string; grams: number } | null
}

/**
 * Sizes of the two parts of a file that are read. Most slicers write the figures at the end, before about
 * twenty kilobytes of settings; some write them at the beginning.
 */
const HEAD_BYTES = 64 * 1024
const TAIL_BYTES = 512 * 1024

const PLASTIC = /^; (?:total )?filament used \[cm3\] = ([\d., ]+)$/m
const GRAMS = /^; (?:total )?filament used \[g\] = ([\d., ]+)$/m
const MATERIAL = /^; filament_type = "?([\w+ -]{1,30})"?$/m
const TIME = /^; (?:estimated printing time \(normal mode\) =|.*total estimated time:) ([\d dhms]+)$/m

/** Reads the figures from sliced G-code. Throws SlicerError if there are none. */
export async function readFigures(path: string): Promise<SlicerFigures> {
  const text = await readEnds(path)
  const plasticCm3 = sumOf(PLASTIC.exec(text)?.[1])
  const minutes = minutesOf(TIME.exec(text)?.[1])
  if (plasticCm3 === null || minutes === null)
    throw new SlicerError('Its result says nothing of plastic or time.')
  const grams = sumOf(GRAMS.exec(text)?.[1])
  const material = MATERIAL.exec(text)?.[1]?.trim().toUpperCase()
  const own = grams !== null && grams > 0 && material !== undefined ? { material, grams } : null
  return { plasticCm3, minutes, own }
}

async function readEnds(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause: Error) => {
    throw new SlicerError(`It made nothing: ${cause.message}`, { cause })
  })
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
    const tail = Buffer.alloc(Math.min(size - head.length, TAIL_BYTES))
    await file.read(head, 0, head.length, 0)
    await file.read(tail, 0, tail.length, size - tail.length)
    return `${head.toString('latin1')}\n${tail.toString('latin1')}`.replaceAll('\r', '')
  } finally {
    await file.close()
  }
}

/** Parses `3.69`, or the sum of one figure for each extruder: `3.69, 1.20`. */
function sumOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const sum = text.split(',').reduce((total, part) => total + Number(part.trim()), 0)
  return Number.isFinite(sum) ? sum : null
}

const MINUTES: Readonly<Record<string, number>> = { d: 24 * 60, h: 60, m: 1, s: 1 / 60 }

/** Parses `1d 2h 3m 4s` and returns minutes. */
function minutesOf(text: string | undefined): number | null {
  const parts = text?.match(/\d+[dhms]/g)
  if (!parts) return null
  return parts.reduce((sum, part) => sum + Number.parseInt(part, 10) * (MINUTES[part.at(-1) ?? ''] ?? 0), 0)
}

const MAX_MINUTES = 60 * 24 * 60
/**
 * Volumes up to this size always count as possible, because the skirt, brim and supports of a tiny part may
 * exceed its bounding box.
 */
const ALWAYS_PLAUSIBLE_CM3 = 20

/** Converts a slicer's figures to the API's format. Throws SlicerError if the figures are impossible. */
export function estimateFromSlicer(figures: SlicerFigures, box: BoundingBox): PrintEstimate {
  const { plasticCm3, minutes, own } = figures
  const boxCm3 = (box.size[0] * box.size[1] * box.size[2]) / 1000
  const isPlausible =
    plasticCm3 > 0 &&
    plasticCm3 <= Math.max(2 * boxCm3, ALWAYS_PLAUSIBLE_CM3) &&
    minutes > 0 &&
    minutes <= MAX_MINUTES
  if (!isPlausible) throw new SlicerError(`Its figures cannot be true: ${plasticCm3} cm³, ${minutes} min.`)
  const weights = weighMaterials(plasticCm3)
  const others = weights.filter(({ material }) => material !== own?.material)
  return {
    source: 'slicer',
    weights:
      own && isCredible(own, plasticCm3) ? [{ ...own, grams: roundGrams(own.grams) }, ...others] : weights,
    minutes: Math.max(1, Math.round(minutes)),
    assumptions: [
      'sliced with the settings of the slicer',
      'weights from the volume of plastic that the slicer reported',
    ],
  }
}

/**
 * Returns whether a weight is credible for its volume. Plastic weighs at least half as much as water, and even plastic
 * filled with metal weighs less than steel.
 */
const isCredible = (
  { grams, material }: { grams: number; material: string },
  plasticCm3: number,
): boolean => {
  const density = grams / plasticCm3
  const known = MATERIAL_DENSITIES[material]
  return known === undefined ? density > 0.5 && density < 8 : Math.abs(density / known - 1) < 0.3
}
