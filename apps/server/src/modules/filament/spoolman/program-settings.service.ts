import {
  EXTRA_ENTITIES,
  type ExtraEntity,
  extraFieldsSetting,
} from '@pegasus/contracts/filament/spoolman-fields'
import type { SpoolmanSetting } from '@pegasus/contracts/filament/spoolman-lists'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ExtraFields } from './extra-fields/extra-fields.service.ts'
import { deleteProgramSetting, listProgramSettings, saveProgramSetting } from './program-settings.queries.ts'
import { malformed } from './spoolman-errors.ts'

/** The settings that programs made for Spoolman read and store, by key. */
export interface ProgramSettings {
  all(): Promise<Record<string, SpoolmanSetting>>
  /** Returns one setting. Throws NOT_FOUND. */
  get(key: string): Promise<SpoolmanSetting>
  /**
   * Stores a value, which is JSON. An empty text or `null` resets it. `extra_fields_…` replaces all extra
   * fields. Throws NOT_FOUND. Throws MALFORMED_REQUEST for a value of another type, or for a value that would
   * change the currency.
   */
  set(key: string, json: string, by: AuditContext): Promise<SpoolmanSetting>
}

type Kind = SpoolmanSetting['type']

const DEFAULTS: Readonly<Record<string, readonly [type: Kind, json: string]>> = {
  round_prices: ['boolean', 'false'],
  print_presets: ['array', '[]'],
  label_designs: ['array', '[]'],
  base_url: ['string', '""'],
  locations: ['array', '[]'],
  locations_spoolorders: ['object', '{}'],
}
const CURRENCY = 'currency'
const FIELDS = 'extra_fields_'

const fieldsEntityOf = (key: string): ExtraEntity | undefined =>
  EXTRA_ENTITIES.find((entity) => key === `${FIELDS}${entity}`)

const typeOf = (value: unknown): Kind | null => {
  if (Array.isArray(value)) return 'array'
  const type = value === null ? null : typeof value
  return type === 'boolean' || type === 'number' || type === 'string' || type === 'object' ? type : null
}

/** Parses the JSON of a setting. Throws MALFORMED_REQUEST if the value has another type. */
function readValue(key: string, type: Kind, json: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw malformed(`Setting ${key} is not valid JSON.`)
  }
  if (typeOf(value) !== type) throw malformed(`Setting ${key} must be of type ${type}.`)
  return value
}

export function createProgramSettings(deps: {
  database: Database
  currency: string
  fields: ExtraFields
}): ProgramSettings {
  const { database, currency, fields } = deps

  const all = async (): Promise<Record<string, SpoolmanSetting>> => {
    const stored = await listProgramSettings(database.sql)
    const own = Object.entries(DEFAULTS).map(([key, [type, json]]): [string, SpoolmanSetting] => {
      const value = stored.get(key)
      return [key, { value: value ?? json, is_set: value !== undefined, type }]
    })
    const definitions = await Promise.all(
      EXTRA_ENTITIES.map(async (entity): Promise<[string, SpoolmanSetting]> => {
        const listed = await fields.list(entity)
        return [
          `${FIELDS}${entity}`,
          { value: JSON.stringify(listed), is_set: listed.length > 0, type: 'array' },
        ]
      }),
    )
    // `is_set` is false: programs cannot set the currency, because the server's configuration sets it.
    const money = { value: JSON.stringify(currency), is_set: false, type: 'string' } as const
    return Object.fromEntries([[CURRENCY, money], ...own, ...definitions])
  }

  const get: ProgramSettings['get'] = async (key) => {
    const settings = await all()
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined
    if (!setting) throw new AppError('NOT_FOUND', { body: { message: `Setting ${key} does not exist.` } })
    return setting
  }

  return {
    all,
    get,

    async set(key, json, by) {
      const { type } = await get(key)
      const isReset = json === '' || json === 'null'
      const value = isReset ? null : readValue(key, type, json)
      const entity = fieldsEntityOf(key)
      if (entity) {
        const { data, error } = extraFieldsSetting.safeParse(value ?? [])
        if (error)
          throw malformed(`Setting ${key} is not a list of extra fields: ${error.issues[0]?.message}`)
        if (data.some(({ entity_type: other }) => other !== entity))
          throw malformed(`Setting ${key} contains an extra field of another entity type.`)
        await fields.replaceAll(entity, data, by)
      } else if (key === CURRENCY) {
        if (!isReset) throw malformed("The currency is part of the server's configuration.")
      } else if (isReset) await deleteProgramSetting(database.sql, key)
      else await saveProgramSetting(database.sql, { key, value: json, now: by.now })
      return get(key)
    },
  }
}
