import { resolve } from 'node:path'

/** The settings of the agent, from its environment variables. */
export interface Settings {
  opsUrl: string
  apiKey: string
  /** Name of the agent, as shown to people. */
  agent: string
  /** The printer's name in Pegasus Ops. */
  printer: string
  materials: string[]
  bedMm: [number, number, number] | null
  nozzleMm: number | null
  fileTypes: string[]
  /** Address of the printer's Moonraker; null if a command prints. */
  printerUrl: string | null
  printerKey: string
  /**
   * A program that prints, with its arguments. The path of the file is appended to them. Null if there is no
   * such program.
   */
  command: string[] | null
  /** The folder in which the agent stores its job and the job's file. */
  folder: string
  /** Time between two requests to the printer, in milliseconds. */
  pauseMs: number
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Reads the settings. Throws an error with a readable message if a setting is missing or invalid. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const apiKey = env['OPS_API_KEY'] ?? ''
  if (apiKey === '') throw new Error('OPS_API_KEY is missing: an API key with the scope print-jobs.')
  const printerUrl = env['PRINTER_URL']?.replace(/\/+$/, '') ?? null
  const command = env['PRINT_COMMAND'] ? env['PRINT_COMMAND'].split(' ').filter(Boolean) : null
  if ((printerUrl === null) === (command === null))
    throw new Error(
      'Set either PRINTER_URL, the address of Moonraker, or PRINT_COMMAND, a program that prints.',
    )
  const fileTypes = listOf(env['FILE_TYPES'] ?? 'gcode')
  if (printerUrl !== null && fileTypes.some((type) => type.toLowerCase().endsWith('gcode.3mf')))
    throw new Error('Klipper cannot print .gcode.3mf. Remove it from FILE_TYPES, or set PRINT_COMMAND.')
  const bed = listOf(env['BED_MM']?.replaceAll('x', ',')).map(Number)
  const [x, y, z] = bed
  const hasBed = x !== undefined && y !== undefined && z !== undefined && bed.every((side) => side > 0)
  if (bed.length > 0 && !hasBed) throw new Error('BED_MM is width, depth and height, such as 250x210x220.')
  const name = env['PRINTER_NAME'] ?? 'My printer'
  return {
    opsUrl: (env['OPS_URL'] ?? 'http://localhost:3000').replace(/\/+$/, ''),
    apiKey,
    agent: env['AGENT_NAME'] ?? `print-agent of ${name}`,
    printer: name,
    materials: listOf(env['MATERIALS']),
    bedMm: hasBed ? [x, y, z] : null,
    nozzleMm: env['NOZZLE_MM'] ? Number(env['NOZZLE_MM']) : null,
    fileTypes,
    printerUrl,
    printerKey: env['PRINTER_KEY'] ?? '',
    command,
    folder: resolve(env['AGENT_FOLDER'] ?? './print-agent'),
    pauseMs: Number(env['PAUSE_SECONDS'] ?? '10') * 1000,
  }
}
