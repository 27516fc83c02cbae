import type { SlicedPlate, SlicedTool } from './sliced-file.ts'
import type { SlicerComments } from './slicer-comments.ts'
import { toPictures } from './thumbnails.ts'

const MAX_TOOLS = 16
const MAX_MINUTES = 60 * 24 * 60
const MAX_GRAMS = 100_000
const MAX_TEXT_LENGTH = 100
const MAX_SIZE_MM = 10_000
const MAX_LAYERS = 1_000_000
/** Diameter and densities of filament that are used if the file does not contain them. */
const USUAL_DIAMETER_MM = 1.75
const USUAL_DENSITIES: Readonly<Record<string, number>> = {
  PLA: 1.24,
  PETG: 1.27,
  ABS: 1.04,
  ASA: 1.07,
  TPU: 1.21,
  PA: 1.12,
  PC: 1.2,
}
const USUAL_DENSITY = 1.24

type Values = ReadonlyMap<string, string>

/** Converts the comments of G-code, or the settings in metadata blocks, to the plate that they describe. */
export function toPlate(comments: SlicerComments, plate = 1): SlicedPlate {
  const { values } = comments
  const notes: string[] = []
  const tools = readTools(values, notes)
  const minutes = readMinutes(values)
  const printerModel = readPrinterModel(values)
  if (printerModel === null)
    notes.push('The file does not name its printer. Enter the printer, so that jobs can use the file.')
  if (tools.every(({ material }) => material === null))
    notes.push('The file does not name its material. Enter the material, so that jobs can use the file.')
  if (minutes === null) notes.push('The file does not say how long the print takes.')
  if (tools.every(({ grams }) => grams === null))
    notes.push('The file does not say how much filament it uses.')
  return {
    plate,
    printerModel,
    nozzleMm: readNozzle(values),
    bedMm: readBed(values),
    layerHeightMm: firstOf(values, ['layer_height', 'layer height', 'layerheight'], 0.001, 10),
    layers: readLayers(comments),
    tools,
    grams: sumOf(tools.map(({ grams }) => grams)),
    metres: sumOf(tools.map(({ metres }) => metres)),
    minutes,
    pieces: readPieces(comments),
    slicer: readSlicer(comments),
    pictures: toPictures(comments.thumbnails.found),
    notes,
  }
}

/** Returns the value of a setting without quotation marks, or null if it is empty. */
function textOf(value: string | undefined): string | null {
  const text = (value ?? '').trim().replace(/^"(.*)"$/, '$1')
  // Names must not contain control characters or unpaired surrogates.
  const plain = text
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
    .slice(0, MAX_TEXT_LENGTH)
  return plain === '' ? null : plain
}

/**
 * Parses a number from `least` to `most`. If the text is a list in brackets, its first number is used. Returns null for
 * anything else.
 */
function numberOf(text: string | undefined, least: number, most: number): number | null {
  const [digits] = /^\s*["[]?-?\d{1,12}(?:\.\d{1,12})?/.exec(text ?? '') ?? []
  if (digits === undefined) return null
  const value = Number(digits.replace(/["[]/, ''))
  return value >= least && value <= most ? value : null
}

function firstOf(values: Values, keys: readonly string[], least: number, most: number): number | null {
  for (const key of keys) {
    const value = numberOf(values.get(key), least, most)
    if (value !== null) return value
  }
  return null
}

const listOf = (text: string | undefined, separator: RegExp): string[] =>
  (text ?? '').trim() === '' ? [] : (text ?? '').split(separator).slice(0, MAX_TOOLS)

const numbersOf = (text: string | undefined, most: number): (number | null)[] =>
  listOf(text, /[,;|]/).map((part) => numberOf(part, 0, most))

function readPrinterModel(values: Values): string | null {
  const named = textOf(values.get('printer_model')) ?? textOf(values.get('target_machine.name'))
  if (named !== null && !/^(?:unknown|fdmprinter)$/i.test(named)) return named
  const preset = textOf(values.get('printer_settings_id')) ?? textOf(values.get('profilename'))
  return textOf(
    preset?.replace(/ ?\(modified\)$/i, '').replace(/ ?(?:HF ?)?\d\.\d{1,2} ?(?:mm )?nozzle$/i, ''),
  )
}

const readNozzle = (values: Values): number | null =>
  firstOf(values, ['nozzle_diameter', 'extruder_train.0.nozzle.diameter', 'extruderdiameter'], 0.05, 10)

/**
 * Reads the size of the bed from corners such as `0x0,250x0,250x210,0x210`, or from the settings of Simplify3D. A round
 * bed has dozens of corners.
 */
function readBed(values: Values): SlicedPlate['bedMm'] {
  const shape = values.get('bed_shape') ?? values.get('printable_area') ?? ''
  const corners = shape.split(',').flatMap((corner) => {
    const [x, y] = corner.split('x').map((part) => numberOf(part, -MAX_SIZE_MM, MAX_SIZE_MM))
    return x == null || y == null ? [] : [[x, y] as const]
  })
  const height = firstOf(values, ['max_print_height', 'printable_height', 'strokezoverride'], 1, MAX_SIZE_MM)
  if (corners.length >= 3) {
    const spanOf = (axis: 0 | 1) => {
      const places = corners.map((corner) => corner[axis])
      return Math.max(...places) - Math.min(...places)
    }
    const [x, y] = [spanOf(0), spanOf(1)]
    return x > 0 && y > 0 ? [x, y, height] : null
  }
  const x = firstOf(values, ['strokexoverride'], 1, MAX_SIZE_MM)
  const y = firstOf(values, ['strokeyoverride'], 1, MAX_SIZE_MM)
  return x === null || y === null ? null : [x, y, height]
}

function readLayers(comments: SlicerComments): number | null {
  const { values, layerChanges, lastZ } = comments
  const named = firstOf(values, ['total layer number', 'total layers count', 'layer_count'], 1, MAX_LAYERS)
  if (named !== null) return Math.round(named)
  // Only the beginning and the end of a long file are read, so layers in the middle cannot be counted. Their number is
  // calculated from the height instead.
  const top = firstOf(values, ['max_layer_z', 'max_z_height'], 0.01, MAX_SIZE_MM) ?? lastZ
  const step = firstOf(values, ['layer_height', 'layerheight'], 0.001, 10)
  const first = firstOf(values, ['first_layer_height', 'initial_layer_print_height'], 0.001, 10) ?? step
  if (top === null || step === null || first === null || !(top > 0))
    return layerChanges > 0 ? layerChanges : null
  return Math.max(layerChanges, Math.min(MAX_LAYERS, Math.round((top - first) / step) + 1))
}

function readTools(values: Values, notes: string[]): SlicedTool[] {
  const materials = listOf(values.get('filament_type') ?? values.get('printmaterial'), /[;,|]/)
  const colors = listOf(values.get('filament_colour'), /[;,]/)
  const fallbackColors = listOf(values.get('extruder_colour'), /[;,]/)
  const grams = readGrams(values)
  const diameters = numbersOf(values.get('filament_diameter') ?? values.get('filamentdiameters'), 10)
  const metres = readMetres(values, diameters)
  // Bambu Studio lists figures only for the filaments in use. A separate list contains their numbers, counted
  // from 1.
  const slots = numbersOf(values.get('filament'), MAX_TOOLS).filter((slot) => slot !== null)
  const hasSlots = slots.length > 0 && slots.length === Math.max(grams.length, metres.length)
  const used = Array.from({ length: Math.max(grams.length, metres.length) }, (_, index) => ({
    tool: hasSlots ? slots[index]! - 1 : index,
    grams: grams[index] ?? null,
    metres: metres[index] ?? null,
  })).filter((each) => each.tool >= 0 && ((each.grams ?? 0) > 0 || (each.metres ?? 0) > 0))
  const bare = [{ tool: 0, grams: null, metres: null }]
  const tools = (used.length > 0 ? used : bare).map(
    (each): SlicedTool => ({
      ...each,
      material: materialOf(materials[each.tool] ?? (materials.length === 1 ? materials[0] : undefined)),
      colorHex: colorOf(colors[each.tool]) ?? colorOf(fallbackColors[each.tool]),
    }),
  )
  weighLengths(tools, { values, diameters }, notes)
  return tools
}

/** Reads `filament used [g]` of each tool, or only the total if the file has no values for the tools. */
function readGrams(values: Values): (number | null)[] {
  for (const key of [
    'filament used [g]',
    'total filament weight [g]',
    'total filament used [g]',
    'plastic weight',
    'filament weight',
  ]) {
    const grams = numbersOf(values.get(key), MAX_GRAMS)
    if (grams.some((each) => each !== null && each > 0)) return grams
  }
  return []
}

function readMetres(values: Values, diameters: readonly (number | null)[]): (number | null)[] {
  const inMetres = (numbers: (number | null)[]) => numbers.map((mm) => (mm === null ? null : mm / 1000))
  for (const key of ['filament used [mm]', 'total filament length [mm]', 'filament length']) {
    const metres = inMetres(numbersOf(values.get(key), 1e9))
    if (metres.some((each) => each !== null && each > 0)) return metres
  }
  // Cura writes lengths such as `7.65032m, 1.2m`. For Ultimaker printers, which use filament of 2.85 mm, it writes
  // volumes instead.
  const cura = numbersOf(values.get('filament used'), 1e6)
  if (cura.some((each) => each !== null && each > 0)) return cura
  const cubicCentimetres = numbersOf(values.get('filament used [cm3]'), 1e6)
  if (cubicCentimetres.some((each) => each !== null && each > 0))
    return cubicCentimetres.map((cm3, tool) => {
      const mm = positive(diameters[tool] ?? diameters[0]) ?? USUAL_DIAMETER_MM
      return cm3 === null ? null : cm3 / (Math.PI * (mm / 2) ** 2)
    })
  const volumes = ['extruder_train.0.material.volume_used', 'extruder_train.1.material.volume_used']
  const used = volumes.map((key) => numberOf(values.get(key), 0, 1e9))
  return used.some((each) => each !== null && each > 0)
    ? used.map((mm3) => (mm3 === null ? null : mm3 / (Math.PI * (2.85 / 2) ** 2) / 1000))
    : []
}

/**
 * Calculates weights from lengths, with the density and diameter in the file. Without them, uses the usual
 * values of the material and adds a note about this.
 */
function weighLengths(
  tools: SlicedTool[],
  { values, diameters }: { values: Values; diameters: readonly (number | null)[] },
  notes: string[],
): void {
  const densities = numbersOf(values.get('filament_density') ?? values.get('filamentdensities'), 30)
  const isUltimaker = values.has('extruder_train.0.material.volume_used')
  let isAssumed = false
  for (const tool of tools) {
    if (tool.grams !== null || tool.metres === null) continue
    const density = positive(densities[tool.tool] ?? densities[0])
    const diameter = positive(diameters[tool.tool] ?? diameters[0])
    if (density === null || diameter === null) isAssumed = true
    const mm = diameter ?? (isUltimaker ? 2.85 : USUAL_DIAMETER_MM)
    const gramsPerCm3 = density ?? USUAL_DENSITIES[tool.material?.toUpperCase() ?? ''] ?? USUAL_DENSITY
    const grams = tool.metres * Math.PI * (mm / 2) ** 2 * gramsPerCm3
    tool.grams = grams <= MAX_GRAMS ? Math.round(grams * 100) / 100 : null
  }
  if (isAssumed)
    notes.push(
      `The file contains a length, but no weight. The weight is estimated for typical ${tools[0]?.material ?? 'PLA'} of this length.`,
    )
}

const positive = (value: number | null | undefined): number | null =>
  value === null || value === undefined || value <= 0 ? null : value

const materialOf = (text: string | undefined): string | null => textOf(text?.replaceAll('"', ''))

function colorOf(text: string | undefined): string | null {
  const [, hex] = /^\s*"?#?([0-9a-f]{6})(?:[0-9a-f]{2})?"?\s*$/i.exec(text ?? '') ?? []
  return hex === undefined ? null : `#${hex.toLowerCase()}`
}

/** Sums up the known numbers. Returns null if no number is known. */
export function sumOf(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((each) => each !== null)
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0)
}

const UNIT_MINUTES: Readonly<Record<string, number>> = { d: 24 * 60, h: 60, m: 1, s: 1 / 60 }

/**
 * Reads the print time in minutes from `1d 2h 3m 4s`, `9m 48s; total estimated time: 18m 1s`, `1 hours 35 minutes`, or
 * seconds.
 */
function readMinutes(values: Values): number | null {
  const bambu = /total estimated time: ?([^;]{1,40})/.exec(values.get('model printing time') ?? '')?.[1]
  const written =
    values.get('estimated printing time (normal mode)') ??
    values.get('estimated printing time') ??
    values.get('total estimated time') ??
    bambu ??
    values.get('model printing time') ??
    values.get('build time')
  const minutes = written === undefined ? null : spelledMinutes(written)
  const seconds = firstOf(values, ['time', 'print.time'], 0, MAX_MINUTES * 60)
  const total = minutes ?? (seconds === null ? null : seconds / 60)
  return total === null || total <= 0 || total > MAX_MINUTES ? null : Math.max(1, Math.round(total))
}

function spelledMinutes(text: string): number | null {
  const parts = [...text.slice(0, 60).matchAll(/(\d{1,7}) ?(d|h|m|s)(?:ay|our|in|inute|ec|econd)?s?\b/gi)]
  if (parts.length === 0) return null
  return parts.reduce(
    (sum, [, digits, unit]) => sum + Number(digits) * (UNIT_MINUTES[unit!.toLowerCase()] ?? 0),
    0,
  )
}

/** Counts the objects that the file lists, in any of the forms that slicers use. */
function readPieces({ values, objects }: SlicerComments): number | null {
  const info = values.get('objects_info')
  if (info !== undefined) {
    const count = countObjects(info)
    if (count > 0) return count
  }
  const labels = listOfAll(values.get('model label id'))
  if (labels > 0) return labels
  return objects.size > 0 ? objects.size : null
}

const listOfAll = (text: string | undefined): number =>
  (text ?? '').trim() === '' ? 0 : new Set((text ?? '').split(',')).size

function countObjects(json: string): number {
  try {
    const parsed: unknown = JSON.parse(json)
    const list = typeof parsed === 'object' && parsed !== null && 'objects' in parsed ? parsed.objects : null
    return Array.isArray(list) ? list.length : 0
  } catch {
    return 0
  }
}

function readSlicer({ slicer, values }: SlicerComments): string | null {
  const [generator, version] = [textOf(values.get('generator.name')), textOf(values.get('generator.version'))]
  if (generator !== null) return `${generator.replace(/_SteamEngine$/, '')} ${version ?? ''}`.trim()
  if (slicer !== null) return textOf(slicer)
  const producer = textOf(values.get('producer')?.replace(/\+\S*/, ''))
  if (producer !== null) return producer
  return values.has('flavor') && values.has('layer height') ? 'Cura' : null
}
