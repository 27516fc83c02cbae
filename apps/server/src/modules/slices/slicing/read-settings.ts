import { AppError } from '../../../platform/errors/app-error.ts'
import { KNOWN_SETTINGS } from './known-settings.ts'

/** Maximum length of a value. The longest values are pieces of code such as the start G-code. */
const MAX_VALUE_LENGTH = 64 * 1024
const SETTING = /^([a-z][a-z0-9_]*)\s*=\s*(.*)$/
const BUNDLE = 'This file is a bundle of profiles. In PrusaSlicer, use File, Export, Export Config.'
const NO_SETTINGS = 'This file contains no slicer settings. In PrusaSlicer, use File, Export, Export Config.'

/** The settings that a profile keeps, with the data about the print that they contain. */
export interface ReadSettings {
  /** The settings as lines of an ini file, sorted by name. */
  settings: string
  /** Names of settings that are unknown, or that would run a program or name a file. */
  leftOut: string[]
  printerModel: string | null
  nozzleMm: number | null
  material: string | null
  layerHeightMm: number | null
}

/**
 * Parses a number from 0 to `most`. Returns null for any other value. If the value has one number for each tool, the
 * first one is used.
 */
function numberIn(value: string | undefined, most: number): number | null {
  const number = Number(value?.split(/[,;]/, 1)[0] ?? '')
  return number > 0 && number <= most ? number : null
}

/** Returns the text for the first tool, without quotes, or null if it is empty. */
const textIn = (value: string | undefined): string | null =>
  value?.split(';', 1)[0]?.replaceAll('"', '').trim().slice(0, 100) || null

/** Parses settings that PrusaSlicer has exported. Throws PROFILE_INVALID with a message for people. */
export function readSettings(text: string): ReadSettings {
  const refuse = (message: string): never => {
    throw new AppError('PROFILE_INVALID', { text: message, errors: [{ path: 'settings', message }] })
  }
  const settings = new Map<string, string>()
  const leftOut = new Set<string>()
  for (const line of text.split(/\r\n|\r|\n/)) {
    const plain = line.trim()
    if (plain === '' || plain.startsWith('#') || plain.startsWith(';')) continue
    if (plain.startsWith('[')) refuse(BUNDLE)
    const [, name, value = ''] = SETTING.exec(plain) ?? []
    if (name === undefined || value.length > MAX_VALUE_LENGTH) return refuse(NO_SETTINGS)
    if (KNOWN_SETTINGS.has(name)) settings.set(name, value)
    else leftOut.add(name)
  }
  if (settings.size === 0) refuse(NO_SETTINGS)
  const technology = settings.get('printer_technology')
  if (technology !== undefined && technology !== 'FFF')
    refuse('This is a profile for resin. Only filament printers are supported.')
  const sorted = [...settings].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    settings: sorted.map(([name, value]) => `${name} = ${value}\n`).join(''),
    leftOut: [...leftOut].toSorted((a, b) => (a < b ? -1 : 1)),
    printerModel: textIn(settings.get('printer_model')),
    nozzleMm: numberIn(settings.get('nozzle_diameter'), 10),
    material: textIn(settings.get('filament_type')),
    layerHeightMm: numberIn(settings.get('layer_height'), 10),
  }
}

const EMPTIED = ['post_process', 'gcode_substitutions', 'bed_custom_model', 'bed_custom_texture'] as const

/**
 * Returns the settings for one run of the slicer. They override the settings inside a 3MF, so they also clear every
 * setting that runs a program or names a file. They contain the printer's model, so that the G-code is later recognized
 * as a file for this printer.
 */
export function settingsOfRun(settings: string, printerModel: string | null): string {
  const forced = new Map([
    ...(printerModel === null ? [] : [['printer_model', printerModel.replaceAll(/[\r\n]/g, ' ')] as const]),
    ...EMPTIED.map((name) => [name, ''] as const),
    ['output_filename_format', 'sliced.gcode'],
    ['binary_gcode', '0'],
  ])
  // Remove duplicates, because the slicer refuses a name that occurs twice.
  const own = settings.split('\n').filter((line) => line !== '' && !forced.has(line.split(' = ', 1)[0] ?? ''))
  return [...own, ...[...forced].map(([name, value]) => `${name} = ${value}`), ''].join('\n')
}
