import type { ByteSource } from '../byte-source.ts'
import { RejectionError } from '../rejection-error.ts'
import type { ZipLimits } from '../zip/limits.ts'
import { type OpenEntry, openZip, type ZipArchive } from '../zip/open-zip.ts'
import { readEntryBytes, readWholeEntry } from '../zip/read-entry.ts'
import { sumOf, toPlate } from './plate-figures.ts'
import { readSliceInfo, type SliceInfoPlate } from './slice-info.ts'
import type { SlicedPlate, SlicedTool } from './sliced-file.ts'
import { SlicerComments } from './slicer-comments.ts'
import { MAX_PICTURE_BYTES } from './thumbnails.ts'
import { MIB } from '../zip/limits.ts'
import { HEAD_BYTES } from './read-gcode.ts'

const MAX_INFO_BYTES = 4 * MIB
const MAX_SETTINGS_BYTES = 8 * MIB
const MAX_PLATES = 100
const PLATE = /^metadata\/plate_(\d{1,4})\.gcode$/

/** Printer models by the id that Bambu Studio writes for each plate. */
const MODEL_IDS: Readonly<Record<string, string>> = {
  'BL-P001': 'Bambu Lab X1 Carbon',
  'BL-P002': 'Bambu Lab X1',
  C11: 'Bambu Lab P1P',
  C12: 'Bambu Lab P1S',
  C13: 'Bambu Lab X1E',
  N1: 'Bambu Lab A1 mini',
  N2S: 'Bambu Lab A1',
  O1D: 'Bambu Lab H2D',
}

/** Reads a 3MF with sliced plates and verifies the checksum of each plate. Throws RejectionError. */
export async function readGcode3mf(source: ByteSource, limits: ZipLimits): Promise<SlicedPlate[]> {
  const archive = await openZip(source, limits)
  const parts = new Map(archive.entries.map((entry) => [entry.name.toLowerCase(), entry]))
  const found = [...parts].flatMap(([name, entry]) => {
    const number = Number(PLATE.exec(name)?.[1])
    return number >= 1 && number <= 1000 && !entry.isFolder ? [{ number, entry }] : []
  })
  if (found.length === 0) throw notSliced(parts)
  if (found.length > MAX_PLATES)
    throw new RejectionError(
      'too-large',
      `The file has more than ${MAX_PLATES} plates. Export fewer plates at once.`,
    )
  const info = await readInfo(archive, parts)
  const settings = await readSettings(archive, parts)
  const plates: SlicedPlate[] = []
  for (const { number, entry } of found.toSorted((a, b) => a.number - b.number)) {
    const comments = await readComments(archive, entry)
    for (const [key, value] of settings) comments.set(key, value)
    const plate = toPlate(comments, number)
    const picture = parts.get(`metadata/plate_${number}.png`)
    if (picture && picture.sizeBytes <= MAX_PICTURE_BYTES)
      plate.pictures.unshift({
        kind: 'encoded',
        bytes: await readWholeEntry(archive, picture, MAX_PICTURE_BYTES),
      })
    plates.push(withInfo(plate, info.get(number)))
  }
  return withPartNotes(plates, info)
}

/** Adds a note to each plate if the plates print different parts. */
function withPartNotes(plates: SlicedPlate[], info: ReadonlyMap<number, SliceInfoPlate>): SlicedPlate[] {
  const listed = plates.flatMap(({ plate }) => {
    const names = info.get(plate)?.parts ?? new Set<string>()
    return names.size > 0 ? [names] : []
  })
  const [first] = listed
  const isSame = (names: Set<string>) =>
    names.size === first?.size && [...names].every((name) => first.has(name))
  if (!first || listed.every(isSame)) return plates
  const note =
    `The file has ${plates.length} plates with different parts, and a job prints only one of them. If one piece needs ` +
    'all plates, choose that for the file.'
  return plates.map((plate) => ({ ...plate, notes: [...plate.notes, note] }))
}

function notSliced(parts: ReadonlyMap<string, OpenEntry>): RejectionError {
  const is3mf = [...parts.keys()].some((name) => name.endsWith('.model'))
  return is3mf
    ? new RejectionError(
        'not-a-model',
        'This 3MF is a model that has not been sliced. Slice it, and export the sliced plate.',
      )
    : new RejectionError(
        'is-archive',
        'This archive contains no sliced plate. Upload the sliced files themselves.',
      )
}

async function readInfo(
  archive: ZipArchive,
  parts: ReadonlyMap<string, OpenEntry>,
): Promise<Map<number, SliceInfoPlate>> {
  const entry = parts.get('metadata/slice_info.config')
  return entry ? readSliceInfo(await readWholeEntry(archive, entry, MAX_INFO_BYTES)) : new Map()
}

/** Reads the settings of the project, which are JSON whose values are strings or lists of strings. */
async function readSettings(
  archive: ZipArchive,
  parts: ReadonlyMap<string, OpenEntry>,
): Promise<[string, string][]> {
  const entry = parts.get('metadata/project_settings.config')
  if (!entry) return []
  const text = new TextDecoder().decode(await readWholeEntry(archive, entry, MAX_SETTINGS_BYTES))
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return []
    return Object.entries(parsed).flatMap(([key, value]): [string, string][] => {
      if (typeof value === 'string') return [[key, value]]
      return Array.isArray(value) && value.every((each) => typeof each === 'string')
        ? [[key, value.join(',')]]
        : []
    })
  } catch {
    return []
  }
}

async function readComments(archive: ZipArchive, entry: OpenEntry): Promise<SlicerComments> {
  const comments = new SlicerComments()
  let read = 0
  for await (const chunk of readEntryBytes(archive, entry)) {
    if (read < HEAD_BYTES) comments.push(chunk)
    read += chunk.length
  }
  comments.finish()
  if (!comments.hasCommands)
    throw new RejectionError(
      'bad-syntax',
      `"${entry.name}" contains no commands for a printer. Slice the plate again.`,
    )
  return comments
}

/**
 * Replaces values of a plate with those in `slice_info.config`, which take precedence over the comments in
 * its G-code.
 */
function withInfo(plate: SlicedPlate, info: SliceInfoPlate | undefined): SlicedPlate {
  if (!info) return plate
  const seconds = Number(info.metadata.get('prediction'))
  const tools = info.filaments.flatMap((filament) => toolOf(filament))
  const model = MODEL_IDS[info.metadata.get('printer_model_id') ?? '']
  const nozzle = Number.parseFloat(info.metadata.get('nozzle_diameters') ?? '')
  const notes = plate.notes.filter((note) => !(note.includes('printer') && model !== undefined))
  return {
    ...plate,
    printerModel: plate.printerModel ?? model ?? null,
    nozzleMm: plate.nozzleMm ?? (nozzle > 0 && nozzle <= 10 ? nozzle : null),
    minutes: seconds > 0 && seconds < 1e7 ? Math.max(1, Math.round(seconds / 60)) : plate.minutes,
    ...(tools.length > 0 && {
      tools,
      grams: sumOf(tools.map(({ grams }) => grams)),
      metres: sumOf(tools.map(({ metres }) => metres)),
    }),
    pieces: info.objects > 0 ? info.objects : plate.pieces,
    notes,
  }
}

function toolOf(filament: ReadonlyMap<string, string>): SlicedTool[] {
  const numberOf = (key: string, most: number) => {
    const value = Number(filament.get(key) || Number.NaN)
    return value >= 0 && value <= most ? value : null
  }
  const id = numberOf('id', 64)
  if (id === null || id < 1) return []
  const [, color] = /^#([0-9a-f]{6})/i.exec(filament.get('color') ?? '') ?? []
  const material = (filament.get('type') ?? '')
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
    .slice(0, 100)
  return [
    {
      tool: Math.floor(id) - 1,
      material: material === '' ? null : material,
      colorHex: color === undefined ? null : `#${color.toLowerCase()}`,
      grams: numberOf('used_g', 100_000),
      metres: numberOf('used_m', 100_000),
    },
  ]
}
