/** A filament that the shop buys. */
export interface DemoFilament {
  key: string
  material: string
  brand: string
  name: string
  color: string
  hex: string
  spoolGrams: number
  spoolWeightGrams: number
  costMinor: number
  nozzleTempC: number
  bedTempC: number
  /** Number of spools at the beginning. */
  opening: number
  /** Whether the shop buys new spools when the filament runs out. */
  isRestocked: boolean
  place: string
}

type Row = readonly [
  key: string,
  material: string,
  brand: string,
  name: string,
  color: string,
  hex: string,
  spoolGrams: number,
  costMinor: number,
  temps: readonly [nozzle: number, bed: number],
  opening: number,
  isRestocked: boolean,
  place: string,
]

// biome-ignore format: a table is read by its columns
const ROWS: readonly Row[] = [
  ['bone', 'PLA', 'Polymaker', 'PolyTerra', 'Bone White', '#EDE9DD', 1000, 1999, [215, 60], 2, true, 'Shelf F1'],
  ['black', 'PLA', 'Polymaker', 'PolyTerra', 'Charcoal Black', '#24272B', 1000, 1999, [215, 60], 3, true, 'Shelf F1'],
  ['maize', 'PLA', 'Polymaker', 'PolyLite', 'Maize', '#E3B32B', 1000, 2199, [210, 60], 1, true, 'Shelf F1'],
  ['cobalt', 'PLA', 'Polymaker', 'PolyLite', 'Cobalt', '#2457A6', 1000, 2199, [210, 60], 1, true, 'Shelf F1'],
  ['leaf', 'PLA', 'eSun', 'PLA+', 'Leaf Green', '#3D8B4F', 1000, 1890, [212, 60], 1, true, 'Shelf F1'],
  ['copper', 'PLA', 'Eryone', 'Silk', 'Silk Copper', '#B4673C', 1000, 2350, [220, 60], 1, true, 'Shelf F2'],
  ['lilac', 'PLA', 'das Filament', 'Standard', 'Lilac', '#9A86C4', 800, 2090, [210, 58], 1, false, 'Shelf F2'],
  ['orange', 'PETG', 'Prusament', 'PETG', 'Prusa Orange', '#E8641B', 1000, 2999, [250, 85], 2, true, 'Shelf F3'],
  ['jet', 'PETG', 'Prusament', 'PETG', 'Jet Black', '#1C1D1F', 1000, 2999, [250, 85], 2, true, 'Shelf F3'],
  ['clear', 'PETG', 'Fillamentum', 'PETG', 'Crystal Clear', '#DCE7EA', 1000, 3150, [240, 80], 1, true, 'Shelf F3'],
  ['petrol', 'PETG', 'das Filament', 'PETG', 'Petrol', '#1F767C', 800, 2490, [240, 80], 1, true, 'Shelf F3'],
  ['grey', 'ASA', 'Fillamentum', 'Extrafill', 'Traffic Grey RAL 7042', '#8E9291', 750, 3390, [255, 105], 1, true, 'Dry box 1'],
  ['abs', 'ABS', 'Fiberlogy', 'Easy ABS', 'Graphite', '#4A4D50', 750, 2690, [250, 100], 1, true, 'Dry box 1'],
  ['nylon', 'PA12', 'Fiberlogy', 'Nylon PA12', 'Natural', '#E6E1D2', 500, 4490, [260, 90], 1, true, 'Dry box 2'],
  ['tpu', 'TPU 95A', 'Recreus', 'Filaflex', 'Signal Red', '#C22B2B', 750, 3890, [235, 50], 1, false, 'Dry box 2'],
  ['pc', 'PC', 'Prusament', 'PC Blend', 'Natural', '#D8D4C8', 970, 5490, [275, 110], 1, true, 'Dry box 2'],
  ['pp', 'PP', 'Fiberlogy', 'PP', 'Pure White', '#F3F3F0', 750, 4290, [235, 90], 1, false, 'Dry box 1'],
]

export const DEMO_FILAMENTS: readonly DemoFilament[] = ROWS.map(
  ([key, material, brand, name, color, hex, spoolGrams, costMinor, temps, opening, isRestocked, place]) => ({
    key,
    material,
    brand,
    name,
    color,
    hex,
    spoolGrams,
    spoolWeightGrams: brand === 'Prusament' ? 193 : 215,
    costMinor,
    nozzleTempC: temps[0],
    bedTempC: temps[1],
    opening,
    isRestocked,
    place,
  }),
)
