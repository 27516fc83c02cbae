import { liveEvent } from '@pegasus/contracts/events'
import * as z from 'zod/mini'
import type { Database } from '../../../../platform/database/database.ts'
import type { ProgramSettings } from '../program-settings.service.ts'
import { presentFilament, presentSpoolmanSpool, presentVendor } from '../spoolman.present.ts'
import { findChangedFilament, findChangedVendor } from './spoolman-events.queries.ts'
import { findSpoolRow } from '../spoolman.queries.ts'

/**
 * The PostgreSQL notification channel to which the triggers of migration 0152 report changes of filaments, vendors and
 * settings. Changes of spools come through the server's own events instead.
 */
export const SPOOLMAN_CHANNEL = 'pegasus_spoolman'

const change = z.object({
  type: z.enum(['added', 'updated', 'deleted']),
  resource: z.enum(['spool', 'filament', 'vendor', 'setting']),
  /** The id of the row, or the key of a setting. */
  id: z.string(),
})
export type SpoolmanChange = z.output<typeof change>
export type SpoolmanResource = SpoolmanChange['resource']

const TYPES = { created: 'added', updated: 'updated', deleted: 'deleted' } as const

/** Parses a change that a trigger has reported, as JSON. Returns null if it is not a change. */
export const readChange = (text: string): SpoolmanChange | null =>
  change.safeParse(JSON.parse(text)).data ?? null

/** Reads a change of a spool from the server's events. Returns null for other events. */
export function readSpoolChange(text: string): SpoolmanChange | null {
  const { data } = liveEvent.safeParse(JSON.parse(text))
  return data?.entity === 'filament' ? { type: TYPES[data.type], resource: 'spool', id: data.id } : null
}

/** The changed object as programs know it. `key` is its number, or the key of a setting. */
export interface ChangedObject {
  key: string
  payload: object
}

/** Returns a function that finds the object of a change. The function returns null if the object no longer exists. */
export function createChangedObjects(deps: {
  database: Database
  currency: string
  settings: Pick<ProgramSettings, 'all'>
}): (change: SpoolmanChange) => Promise<ChangedObject | null> {
  const {
    database: { sql },
    currency,
    settings,
  } = deps
  const keyed = <T extends { id: number }>(payload: T | null): ChangedObject | null =>
    payload && { key: String(payload.id), payload }

  const find: Record<SpoolmanResource, (id: string) => Promise<ChangedObject | null>> = {
    async spool(id) {
      const row = await findSpoolRow(sql, { id })
      return keyed(row && presentSpoolmanSpool(row, currency))
    },
    async filament(id) {
      const row = await findChangedFilament(sql, id)
      return keyed(row && presentFilament(row, currency))
    },
    async vendor(id) {
      const row = await findChangedVendor(sql, id)
      return keyed(row && presentVendor(row))
    },
    async setting(key) {
      const setting = new Map(Object.entries(await settings.all())).get(key)
      return setting ? { key, payload: { key, setting } } : null
    },
  }
  return ({ resource, id }) => find[resource](id)
}
