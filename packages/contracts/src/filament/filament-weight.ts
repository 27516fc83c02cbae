/** Densities that forms fill in for a new filament, in g/cm³. People can change them. */
export const MATERIAL_DENSITIES: Readonly<Record<string, number>> = {
  PLA: 1.24,
  'PLA+': 1.24,
  PETG: 1.27,
  ABS: 1.04,
  'ABS+': 1.06,
  ASA: 1.05,
  TPU: 1.21,
  PC: 1.2,
  'PC-ABS': 1.19,
  PA6: 1.14,
  PA12: 1.01,
  HIPS: 1.03,
  PVA: 1.23,
  PP: 0.9,
  POM: 1.4,
  PMMA: 1.18,
  PVDF: 1.78,
  PEI: 1.27,
  PEEK: 1.32,
  PPSU: 1.37,
}
const UNKNOWN_MATERIAL_DENSITY = 1.24

/**
 * Returns the density of a material in g/cm³. Names such as `TPU 95A` and `petg` also match. An unknown material gets
 * the density of PLA.
 */
export function densityOf(material: string): number {
  const name = material.trim().toUpperCase()
  return (
    MATERIAL_DENSITIES[name] ?? MATERIAL_DENSITIES[name.split(/[\s-]/)[0] ?? ''] ?? UNKNOWN_MATERIAL_DENSITY
  )
}

interface Strand {
  density_g_cm3: number
  diameter_mm: number
}

/**
 * Returns the weight of one meter in grams. The volume of one meter in cm³ is the cross-section of the filament in mm².
 */
const gramsPerMeter = ({ density_g_cm3, diameter_mm }: Strand): number =>
  density_g_cm3 * Math.PI * (diameter_mm / 2) ** 2

/** Returns the length, in meters, of this many grams of filament. */
export const gramsToMeters = (grams: number, filament: Strand): number => grams / gramsPerMeter(filament)

/** Returns the weight, in grams, of this many millimeters of filament. */
export const lengthToGrams = (lengthMm: number, filament: Strand): number =>
  (lengthMm * gramsPerMeter(filament)) / 1000
