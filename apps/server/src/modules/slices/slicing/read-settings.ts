import { AppError } from '../../../platform/errors/app-error.ts'
import { KNOWN_SETTINGS } from './known-settings.ts'

/** The longest value, such as a start G-code. */
const MAX_VALUE_LENGTH = 64 * 1024
const SETTING = /^([a-z][a-z0-9_]*)\s*=\s*(.*)$/
const BUNDLE = 'This is a bundle of profiles. In PrusaSlicer, use File, Export, Export Config.'
const NO_SETTINGS = 'This holds no settings of a slicer. In PrusaSlicer, use File, Export, Export Config.'

/** Settings that a profile keeps, with what they say about the print. */
export interface ReadSettings {
  /** As the lines of an ini file, by name. */
  settings: string
  /** Names that are not known, or that would run a program or name a file. */
  leftOut: string[]
  printerModel: string | null
  nozzleMm: number | null
  material: string | null
  layerHeightMm: number | null
}

/** A number in its allowed range; null for anything else. Settings of several tools give that of the first. */
function numberIn(value: string | undefined, most: number): number | null {
  const number = Number(value?.split(/[,;]/, 1)[0] ?? '')
  return number > 0 && number <= most ? number : null
}

/** The text of the first tool, without quotes; null if it is empty. */
const textIn = (value: string | undefined): string | null =>
  value?.split(';', 1)[0]?.replaceAll('"', '').trim().slice(0, 100) || null

/** Reads settings as PrusaSlicer exports them. Throws PROFILE_INVALID with a sentence. */
export function readSettings(text: string): ReadSettings {
  const refuse = (say: string): never => {
    throw new AppError('PROFILE_INVALID', { say, errors: [{ path: 'settings', message: say }] })
  }
  const kept = new Map<string, string>()
  const leftOut = new Set<string>()
  for (const line of text.split(/\r\n|\r|\n/)) {
    const plain = line.trim()
    if (plain === '' || plain.startsWith('#') || plain.startsWith(';')) continue
    if (plain.startsWith('[')) refuse(BUNDLE)
    const [, name, value = ''] = SETTING.exec(plain) ?? []
    if (name === undefined || value.length > MAX_VALUE_LENGTH) return refuse(NO_SETTINGS)
    if (KNOWN_SETTINGS.has(name)) kept.set(name, value)
    else leftOut.add(name)
  }
  if (kept.size === 0) refuse(NO_SETTINGS)
  const technology = kept.get('printer_technology')
  if (technology !== undefined && technology !== 'FFF')
    refuse('This is a profile for resin. Only printers of filament are supported.')
  const sorted = [...kept].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    settings: sorted.map(([name, value]) => `${name} = ${value}\n`).join(''),
    leftOut: [...leftOut].toSorted((a, b) => (a < b ? -1 : 1)),
    printerModel: textIn(kept.get('printer_model')),
    nozzleMm: numberIn(kept.get('nozzle_diameter'), 10),
    material: textIn(kept.get('filament_type')),
    layerHeightMm: numberIn(kept.get('layer_height'), 10),
  }
}

const EMPTIED = ['post_process', 'gcode_substitutions', 'bed_custom_model', 'bed_custom_texture'] as const

/**
 * The settings for one run of the slicer. A 3MF brings settings of its own, which these override: they must neither run a
 * program nor name a file. The printer's model gets into the G-code, so that the file is known as one for this printer.
 */
export function settingsOfRun(settings: string, printerModel: string | null): string {
  const forced = new Map([
    ...(printerModel === null ? [] : [['printer_model', printerModel.replaceAll(/[\r\n]/g, ' ')] as const]),
    ...EMPTIED.map((name) => [name, ''] as const),
    ['output_filename_format', 'sliced.gcode'],
    ['binary_gcode', '0'],
  ])
  // The slicer refuses a name that stands twice.
  const own = settings.split('\n').filter((line) => line !== '' && !forced.has(line.split(' = ', 1)[0] ?? ''))
  return [...own, ...[...forced].map(([name, value]) => `${name} = ${value}`), ''].join('\n')
}
