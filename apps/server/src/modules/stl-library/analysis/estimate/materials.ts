import { MATERIAL_DENSITIES } from '@pegasus/contracts/filament/spools'
import type { PrintEstimate } from '@pegasus/contracts/stl-library/models'

/** Those that shops print with; others are found among the filaments. */
const WEIGHED = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PC', 'PA6', 'PA12', 'HIPS', 'PVA', 'PP'] as const

/** Grams of so much plastic in each material, to the tenth. */
export const weighMaterials = (plasticCm3: number): PrintEstimate['weights'] =>
  WEIGHED.map((material) => ({
    material,
    grams: roundGrams(plasticCm3 * (MATERIAL_DENSITIES[material] ?? Number.NaN)),
  }))

/** A tenth of a gram; what is lighter keeps two digits, so that nothing weighs nothing. */
export const roundGrams = (grams: number): number =>
  grams < 1 ? Number(grams.toPrecision(2)) : Math.round(grams * 10) / 10
