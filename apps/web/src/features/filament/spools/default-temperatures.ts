/**
 * Common printing temperatures in °C by material. They only prefill the form; the values on the box take precedence.
 */
const TEMPERATURES: Readonly<Record<string, { nozzle: number; bed: number }>> = {
  PLA: { nozzle: 210, bed: 60 },
  'PLA+': { nozzle: 215, bed: 60 },
  PETG: { nozzle: 240, bed: 80 },
  ABS: { nozzle: 245, bed: 100 },
  'ABS+': { nozzle: 245, bed: 100 },
  ASA: { nozzle: 250, bed: 100 },
  TPU: { nozzle: 225, bed: 50 },
  PC: { nozzle: 275, bed: 110 },
  'PC-ABS': { nozzle: 265, bed: 105 },
  PA6: { nozzle: 260, bed: 85 },
  PA12: { nozzle: 255, bed: 85 },
  HIPS: { nozzle: 235, bed: 100 },
  PVA: { nozzle: 200, bed: 55 },
  PP: { nozzle: 230, bed: 85 },
  POM: { nozzle: 215, bed: 110 },
  PMMA: { nozzle: 245, bed: 95 },
  PVDF: { nozzle: 250, bed: 100 },
  PEI: { nozzle: 360, bed: 150 },
  PEEK: { nozzle: 400, bed: 130 },
  PPSU: { nozzle: 380, bed: 150 },
}

/**
 * Returns the temperatures for a material, ignoring case and additions such as in `TPU 95A`; null for an unknown
 * material.
 */
export function findDefaultTemperatures(material: string): { nozzle: number; bed: number } | null {
  const name = material.trim().toUpperCase()
  return TEMPERATURES[name] ?? TEMPERATURES[name.split(/[\s-]/)[0] ?? ''] ?? null
}
