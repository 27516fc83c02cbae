import { MATERIAL_DENSITIES } from '@pegasus/contracts/filament/filament-weight'
import type { PrintEstimate } from '@pegasus/contracts/stl-library/models'

/** Materials that every estimate covers. Other materials are looked up among the filaments. */
const WEIGHED = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PC', 'PA6', 'PA12', 'HIPS', 'PVA', 'PP'] as const

/** Weight in grams of a volume of plastic, for each material, rounded to a tenth. */
export const weighMaterials = (plasticCm3: number): PrintEstimate['weights'] =>
  WEIGHED.map((material) => ({
    material,
    grams: roundGrams(plasticCm3 * (MATERIAL_DENSITIES[material] ?? Number.NaN)),
  }))

/** Rounds to a tenth of a gram; smaller weights keep two digits, so that they never become zero. */
export const roundGrams = (grams: number): number =>
  grams < 1 ? Number(grams.toPrecision(2)) : Math.round(grams * 10) / 10
