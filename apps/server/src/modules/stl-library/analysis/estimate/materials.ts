import { MATERIAL_DENSITIES } from '@pegasus/contracts/filament/filament-weight'
import type { PrintEstimate } from '@pegasus/contracts/stl-library/models'

/** Materials that every estimate includes. The weights for other materials come from the filaments. */
const WEIGHED = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PC', 'PA6', 'PA12', 'HIPS', 'PVA', 'PP'] as const

/** Returns the weight of this volume of plastic in each material, in grams, rounded to a tenth. */
export const weighMaterials = (plasticCm3: number): PrintEstimate['weights'] =>
  WEIGHED.map((material) => ({
    material,
    grams: roundGrams(plasticCm3 * (MATERIAL_DENSITIES[material] ?? Number.NaN)),
  }))

/** Rounds to a tenth of a gram; smaller weights keep two digits, so that they never become zero. */
export const roundGrams = (grams: number): number =>
  grams < 1 ? Number(grams.toPrecision(2)) : Math.round(grams * 10) / 10
