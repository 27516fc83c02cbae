import type { PrintEstimate } from '@pegasus/contracts/stl-library/models'
import { weighMaterials } from './materials.ts'

// The assumed print profile has the common defaults of PrusaSlicer and Bambu Studio for a 0.4 mm nozzle, with 0.2 mm
// layers and 15 % infill. The flow is an average: outlines and short lines are printed more slowly than the hot end
// could melt plastic, so older printers reach 3 mm³/s and the newest 12. Compared with this estimate, PrusaSlicer 2.5
// needs 2 % less plastic for a cube and a gauge, and 5 % and 20 % more for two brackets whose long overhangs it prints
// solid.
const LINE_WIDTH_MM = 0.45
const WALLS = 2
const INFILL = 0.15
const LAYER_HEIGHT_MM = 0.2
const FLOW_MM3_PER_S = 8
/** Seconds of travel, retraction and layer change per layer. */
const LAYER_CHANGE_S = 2
const WARM_UP_S = 240
/** Printers in shops are not this tall, so taller models get no estimate. */
const MAX_HEIGHT_MM = 2_000

const ASSUMPTIONS = [
  `${WALLS} walls of ${LINE_WIDTH_MM} mm`,
  `${INFILL * 100} % infill`,
  `${LAYER_HEIGHT_MM} mm layers`,
  `${FLOW_MM3_PER_S} mm³ of plastic a second`,
  `${LAYER_CHANGE_S} s for each layer, ${WARM_UP_S / 60} min to warm up`,
  'no supports',
]

export interface PrintableShape {
  /** Null if the surface is not closed well enough to enclose a volume. */
  volumeMm3: number | null
  surfaceAreaMm2: number
  heightMm: number
}

/**
 * Estimates the weight and time of a print from its geometry. The plastic consists of walls under the whole
 * surface (at most the whole volume) and infill in the rest. The time assumes a constant flow. Horizontal
 * surfaces count like vertical walls. Returns null if the volume is unreliable or zero, or the model is too
 * tall.
 */
export function estimateFromGeometry({
  volumeMm3,
  surfaceAreaMm2,
  heightMm,
}: PrintableShape): PrintEstimate | null {
  if (volumeMm3 === null || volumeMm3 <= 0 || heightMm > MAX_HEIGHT_MM) return null
  const shell = Math.min(volumeMm3, surfaceAreaMm2 * WALLS * LINE_WIDTH_MM)
  const plasticMm3 = shell + INFILL * (volumeMm3 - shell)
  const layers = Math.ceil(heightMm / LAYER_HEIGHT_MM)
  const seconds = plasticMm3 / FLOW_MM3_PER_S + layers * LAYER_CHANGE_S + WARM_UP_S
  return {
    source: 'geometry',
    weights: weighMaterials(plasticMm3 / 1000),
    minutes: Math.round(seconds / 60),
    assumptions: ASSUMPTIONS,
  }
}
