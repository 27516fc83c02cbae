import * as z from 'zod/mini'
import {
  optionalId,
  clearableId,
  clearableMoment,
  clearableText,
  deletedOnly,
  nullable,
  numberBetween,
  positiveNumber,
  requiredText,
  searchText,
  timestamp,
  revisedTimes,
  wholeNumber,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { printerKey } from './printer-key.ts'
import { MAX_BED_MM, MAX_NOZZLE_MM, PRINTER_NAME_MAX_LENGTH, pieces } from './agents.ts'

const { get, list, post, declareTrash, declareWrites, declareActions } = declareEndpoints('printers', {
  notFound: 'PRINTER_NOT_FOUND',
})

/** How the prints of a printer are started: by a person, by an agent with an API key, or by the server. */
export const PRINTER_KINDS = ['manual', 'agent', 'moonraker', 'octoprint', 'prusalink', 'bambu'] as const
export type PrinterKind = (typeof PRINTER_KINDS)[number]

/** Kinds of printers to which the server connects over the network. */
export type NetworkKind = Exclude<PrinterKind, 'manual' | 'agent'>

export const isNetworkKind = (kind: PrinterKind): kind is NetworkKind => kind !== 'manual' && kind !== 'agent'

export const PRINTER_STATES = [
  'available',
  'printing',
  'paused',
  'needs_clearing',
  'maintenance',
  'offline',
  'error',
] as const
export type PrinterState = (typeof PRINTER_STATES)[number]

/** Reasons why a printer needs a person, the most urgent first. */
export const PRINTER_NEEDS = ['error', 'needs_clearing', 'paused', 'maintenance', 'spool'] as const
export type PrinterNeed = (typeof PRINTER_NEEDS)[number]

/**
 * Sort orders of the list. `attention` begins with the printers that need a person, in the order of `PRINTER_NEEDS`.
 * Then follow printing printers by the end of their prints, available ones, ones in maintenance, and offline ones.
 */
export const PRINTER_SORTS = ['newest', 'number', 'name', 'attention'] as const
export type PrinterSort = (typeof PRINTER_SORTS)[number]

/** Maximum number of slots: four units with four slots each, or the largest tool changer. */
export const MAX_PRINTER_SLOTS = 16

/** Width, depth and height of the space that a printer can fill, in millimeters. */
export const bedMm = z.tuple([z.number(), z.number(), z.number()])
export type BedMm = z.output<typeof bedMm>

/** A place for one spool, and the spool that is loaded in it. */
const printerSlot = z.object({
  slot: z.number(),
  filament_id: nullable.id,
  filament_label: nullable.text,
  material: nullable.text,
  color: nullable.text,
  color_hex: nullable.text,
  remaining_grams: nullable.number,
})
export type PrinterSlot = z.output<typeof printerSlot>

const jobOnPrinter = {
  id: z.uuid(),
  label_code: z.string(),
  name: z.string(),
  thumbnail_path: nullable.text,
}

/** The job whose plate is on a printer. */
const currentJob = z.object({
  ...jobOnPrinter,
  plate_id: z.uuid(),
  /** Number of the plate among all plates of the job, counted from 1. */
  plate_number: z.number(),
  plates: z.number(),
  /** Number of pieces on the plate. */
  pieces: z.number(),
  /** `sending`, `printing`, `paused` or `printed`. With `printed`, the plate is done but still on the bed. */
  plate_state: z.string(),
  /** Why the pieces of a printed plate have to be checked. Null after an ordinary print. */
  note: nullable.text,
  started_at: timestamp,
  /** How long the plate takes according to its sliced file, otherwise its share of the job's estimate. */
  estimated_minutes: z.nullable(z.number()),
})

/** A job that a printer could print next. */
const nextJob = z.object(jobOnPrinter)

/** A spool that a person has to load before the next planned print. */
const spoolToLoad = z.object({
  filament_id: z.uuid(),
  filament_label: z.string(),
  material: z.string(),
  color: nullable.text,
})

/** The fields that identify a printer in lists. */
export const printerHead = {
  id: z.uuid(),
  label_code: z.string(),
  name: z.string(),
  model: nullable.text,
  kind: z.enum(PRINTER_KINDS),
  state: z.enum(PRINTER_STATES),
}

/**
 * The capabilities that the agent of a printer stated in its last claim. Those that are not null take precedence over
 * the values that a person has entered.
 */
const agentFacts = z.object({
  bed_mm: z.nullable(bedMm),
  nozzle_mm: nullable.number,
  materials: z.nullable(z.array(z.string())),
  /** Formats that the agent reads, in lower case, such as `gcode`. */
  file_types: z.nullable(z.array(z.string())),
  /** The time of the claim. */
  stated_at: timestamp,
})
export type AgentFacts = z.output<typeof agentFacts>

/** A printer with its state, its loaded spools and its costs. */
export const printer = z.object({
  id: z.uuid(),
  /** The code on the printer's label, such as `P-001`. */
  label_code: z.string(),
  number: z.number(),
  name: z.string(),
  model: nullable.text,
  kind: z.enum(PRINTER_KINDS),
  state: z.enum(PRINTER_STATES),
  state_reason: nullable.text,
  /** When the state is expected to end, as entered by a person. */
  state_until: nullable.timestamp,
  bed_mm: z.nullable(bedMm),
  nozzle_mm: nullable.number,
  /** Null if no agent prints on the printer, or if its last claim states nothing. */
  agent_facts: z.nullable(agentFacts),
  slots: z.array(printerSlot),
  /** Cost per hour in the configured currency. */
  hourly_rate: nullable.number,
  average_watts: nullable.number,
  location_id: nullable.id,
  location: nullable.text,
  /** Address at which the server reaches the printer. Null for everybody except admins. */
  address: nullable.text,
  /** Whether a key is stored. The key itself is never sent. */
  has_api_key: z.boolean(),
  /** Whether the server sends the planner's proposed jobs to the printer without a person assigning them. */
  takes_jobs: z.boolean(),
  /** A signed URL of the camera's current picture. */
  camera_path: nullable.text,
  /** A signed URL of the printer's photo. */
  photo_path: nullable.text,
  /** The time when the printer or its agent last reported. */
  seen_at: nullable.timestamp,
  print_hours: z.number(),
  /**
   * Share of plates with good pieces, from 0 to 1. Failed plates count, cancelled ones do not. Null before the first
   * plate has ended.
   */
  success_rate: nullable.number,
  current_job_id: nullable.id,
  current_job: z.nullable(currentJob),
  /** The first job that is assigned to this printer. */
  next_job: z.nullable(nextJob),
  /** The first job that the planner proposes for this printer. It is not assigned yet. */
  proposed_job: z.nullable(nextJob),
  /** Progress from 0 to 1 while the printer prints. */
  progress: nullable.number,
  finishes_at: nullable.timestamp,
  /** Names of the maintenance plans that are due. */
  maintenance_due: z.array(z.string()),
  /**
   * Why the printer needs a person now; null if it needs nobody. `maintenance` means that a plan is due and the printer
   * is available, or that its maintenance should have ended. `spool` means that its next print needs another spool.
   */
  needs_person: z.nullable(z.enum(PRINTER_NEEDS)),
  /** The spool for the next planned print, if it is not loaded yet and the printer is available. */
  spool_to_load: z.nullable(spoolToLoad),
  notes: nullable.text,
  ...revisedTimes,
})
export type Printer = z.output<typeof printer>

export const listPrinters = list('/api/printers', 'signed-in', {
  summary: 'Printers, newest first unless sorted otherwise, each with its current job and its next job',
  filter: {
    /** Each word must occur in the name, model or label code. */
    search: searchText,
    state: z.optional(z.enum(PRINTER_STATES, 'state must be one of the states of a printer')),
    /** Only the printer in which this spool is loaded. */
    filament_id: optionalId('filament_id'),
    /** Only printers that need a person now. */
    needs_person: z.optional(z.enum(['true'], 'needs_person must be true or absent')),
    sort: z._default(z.enum(PRINTER_SORTS, `sort must be one of ${PRINTER_SORTS.join(', ')}`), 'newest'),
    /** Lists the trash instead of the printers in use. */
    deleted: deletedOnly,
  },
  of: printer,
})

export const getPrinter = get('/api/printers/:id', 'signed-in', {
  summary: 'One printer, with its ETag',
  returns: printer,
})

const side = (name: string) => positiveNumber(name, MAX_BED_MM, ' mm')

const slotFields = z
  .array(
    z.object({
      slot: wholeNumber('slot', 1, MAX_PRINTER_SLOTS),
      /** If the spool is loaded in another slot, it moves to this one. */
      filament_id: clearableId('filament_id'),
    }),
  )
  .check(
    z.maxLength(MAX_PRINTER_SLOTS, `A printer can have at most ${MAX_PRINTER_SLOTS} slots.`),
    z.refine(
      (slots) => new Set(slots.map(({ slot }) => slot)).size === slots.length,
      'Name each slot only once.',
    ),
  )

const printerFields = {
  model: clearableText(100, 'Model'),
  bed_mm: z.optional(z.nullable(z.tuple([side('Bed width'), side('Bed depth'), side('Bed height')]))),
  nozzle_mm: z.optional(z.nullable(positiveNumber('Nozzle', MAX_NOZZLE_MM, ' mm'))),
  /**
   * All slots. A slot that is left out is removed, and its spool is unloaded. The default for a new printer
   * is one empty slot.
   */
  slots: z.optional(slotFields),
  hourly_rate: z.optional(z.nullable(numberBetween('Hourly rate', 0, 1_000_000))),
  average_watts: z.optional(z.nullable(wholeNumber('Average watts', 0, 100_000))),
  /**
   * The hours that the printer has printed so far, for example before it was added. The wear since the last maintenance
   * stays as it is.
   */
  print_hours: z.optional(numberBetween('Print hours', 0, 1_000_000)),
  location_id: clearableId('location_id'),
  notes: clearableText(10_000, 'Notes'),
  /** For network printers: whether the server sends proposed jobs without a person assigning them. */
  takes_jobs: z.optional(z.boolean('takes_jobs must be true or false')),
  /** Only admins can set it. A new address deletes the stored key, unless a key is also sent. */
  address: clearableText(500, 'Address'),
  /** Only admins can set it. The key is stored encrypted. */
  api_key: printerKey,
}

const name = requiredText(PRINTER_NAME_MAX_LENGTH, 'Name')
const kind = z.enum(PRINTER_KINDS, `kind must be one of ${PRINTER_KINDS.join(', ')}`)

export const createPrinterBody = z.object({ name, kind: z._default(kind, 'manual'), ...printerFields })
export type CreatePrinterBody = z.output<typeof createPrinterBody>

/** Missing fields stay unchanged. Only admins can change the kind of a network printer. */
export const updatePrinterBody = z.object({
  name: z.optional(name),
  kind: z.optional(kind),
  ...printerFields,
})
export type UpdatePrinterBody = z.output<typeof updatePrinterBody>

export const { create: createPrinter, update: updatePrinter } = declareWrites('/api/printers', 'staff', {
  returns: printer,
  create: {
    summary: 'Add a printer; address and key are for admins',
    body: createPrinterBody,
    errors: ['MALFORMED_REQUEST'],
  },
  update: { summary: 'Change a printer; address and key are for admins', body: updatePrinterBody },
  errors: ['PRINTER_TAKEN', 'PRINTER_INVALID', 'PRINTER_BUSY', 'LOCATION_NOT_FOUND', 'SPOOL_NOT_FOUND'],
})

export const { remove: deletePrinter, restore: restorePrinter } = declareTrash('/api/printers', 'staff', {
  name: 'a printer that prints no job',
  returns: printer,
  remove: ['PRINTER_BUSY'],
  restore: ['PRINTER_TAKEN'],
})

/** Declares a step at the printer. The response is the printer after the step. */
const atMachine = declareActions('/api/printers/:id', 'staff', {
  returns: printer,
  errors: ['MALFORMED_REQUEST'],
})

const reason = clearableText(500, 'Reason')

export const clearPrinterBody = z.nullish(
  z.object({
    /**
     * The plate that the caller has seen on the printer (`current_job.plate_id`), or null for none. If the printer now
     * has another plate or none, nothing changes: 412 with the current `plate_id`. If the field is missing, the call is
     * refused (409 with the `plate_id`) while an agent prints, or less than a minute after a person started the print.
     */
    plate_id: z.optional(z.nullable(z.uuid('plate_id is not an id'))),
    /**
     * The default is all pieces that are not rejected. Good and rejected pieces together are at most the pieces of the
     * plate.
     */
    good_quantity: pieces('good_quantity'),
    rejected_quantity: pieces('rejected_quantity'),
    /** Why pieces were rejected. */
    reason,
  }),
)
export type ClearPrinterBody = z.output<typeof clearPrinterBody>

export const clearPrinter = atMachine(
  'clear',
  'Report that the plate is off the bed; a printed plate is then counted. Counts are refused if there is no plate',
  {
    body: clearPrinterBody,
    errors: [
      'PRINTER_STATE',
      'PRINT_JOB_INVALID',
      'STOCK_LIMIT',
      'PRECONDITION_FAILED',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
)

export const maintenancePrinterBody = z.nullish(
  z.object({
    reason,
    /** Messages show the day as it is written here, so send it with the offset of the shop's time zone. */
    until: clearableMoment('until'),
  }),
)

export const startPrinterMaintenance = atMachine(
  'maintenance',
  'Take a printer out of use, with a reason and an end time',
  { body: maintenancePrinterBody },
)

export const resumePrinter = atMachine(
  'resume',
  'Put a printer back into use after maintenance, an error or being offline',
  { errors: ['PRINTER_STATE'] },
)

export const loadPrinterBody = z.object({
  /** The default is the first empty slot, or the first slot if none is empty. */
  slot: z.optional(wholeNumber('slot', 1, MAX_PRINTER_SLOTS)),
  /** Null unloads the slot. */
  filament_id: z.nullable(z.uuid('filament_id is not an id')),
  /**
   * The spool that the caller has seen in the slot, or null for an empty slot. If it is sent and the slot holds another
   * spool, nothing changes, and the response is 412 with the current `filament_id`.
   */
  replaces: z.optional(z.nullable(z.uuid('replaces is not an id'))),
})
export type LoadPrinterBody = z.output<typeof loadPrinterBody>

export const loadPrinter = atMachine('load', 'Load a spool into a slot, or unload the slot', {
  body: loadPrinterBody,
  errors: ['SPOOL_NOT_FOUND', 'PRINTER_INVALID', 'PRINTER_BUSY', 'PRECONDITION_FAILED'],
})

export const testPrinter = post('/api/printers/:id/test', 'staff', {
  summary: 'Test the connection to a network printer; for others, the response explains their connection',
  returns: z.object({
    ok: z.boolean(),
    /** The result as a readable message. */
    message: z.string(),
  }),
})

export const getPrinterCamera = get('/api/printers/:id/camera', 'signed-in', {
  summary: 'The current picture of the camera of a printer (204: it sends none now)',
  isSignable: true,
  query: z.object({
    expires: z.optional(z.string()),
    signature: z.optional(z.string()),
    /** Any text. A new text makes browsers load a new picture. */
    picture: z.optional(z.string()),
  }),
  sends: 'image/jpeg',
  alternative: 204,
  errors: ['PRINTER_NO_CAMERA'],
})
